import createClient from "openapi-fetch";
import { connectionSet } from "./connection";
import { ApiError, NetworkError, problemFrom } from "./problem";
import type { paths } from "./schema";

export function csrfToken(): string {
  const match = /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie);
  return match?.[1] ? decodeURIComponent(match[1]) : "";
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** fetch with the session, the CSRF header, and a failed connection told apart from a refusal. */
export async function sessionFetch(request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  if (!SAFE.has(request.method)) headers.set("X-CSRFToken", csrfToken());
  headers.set("Accept", "application/json");
  try {
    const response = await fetch(new Request(request, { headers, credentials: "same-origin" }));
    // A proxy answering for a server that is away is the same news as no answer.
    connectionSet(response.status === 502 || response.status === 503 || response.status === 504);
    return response;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    connectionSet(true);
    throw new NetworkError(cause);
  }
}

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  fetch: sessionFetch,
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a good answer, or an ApiError with the problem the server described. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(problemFrom(error, response));
  return data as T;
}

/** A key for one intention of the user: sent again on a retry, so that it happens once. */
export const idempotencyKey = (): { "Idempotency-Key": string } => ({
  "Idempotency-Key":
    typeof crypto.randomUUID === "function"
      ? crypto.randomUUID()
      : Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join(
          "",
        ),
});
