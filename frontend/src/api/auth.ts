/** django-allauth's headless browser API: its own envelope, so not part of the OpenAPI client. */
import { sessionFetch } from "./client";

export interface FieldError {
  message: string;
  code: string;
  param?: string;
}

interface Envelope {
  status: number;
  data?: { user?: { email?: string }; email?: string; flows?: { id: string; is_pending?: boolean }[] };
  meta?: { is_authenticated?: boolean };
  errors?: FieldError[];
}

/** What a flow led to. `pending` names the step that is still open, such as `verify_email`. */
export interface AuthResult {
  ok: boolean;
  authenticated: boolean;
  pending: string | null;
  errors: FieldError[];
  email: string | null;
}

const BASE = "/_allauth/browser/v1";

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<AuthResult> {
  const request = new Request(new URL(`${BASE}${path}`, window.location.origin), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const response = await sessionFetch(request);
  const envelope = (await response.json().catch(() => ({ status: response.status }))) as Envelope;
  const pending = envelope.data?.flows?.find((flow) => flow.is_pending)?.id ?? null;
  const errors = envelope.errors ?? [];
  if (errors.length === 0 && response.status === 429)
    errors.push({ code: "too_many", message: "Too many tries. Wait a few minutes, then try again." });
  if (errors.length === 0 && response.status === 403)
    errors.push({ code: "forbidden", message: "The server refused this. Reload the page and try again." });
  if (errors.length === 0 && response.status >= 500)
    errors.push({ code: "server", message: "The server failed on this request. Try again." });
  return {
    ok: response.ok,
    authenticated: envelope.meta?.is_authenticated ?? false,
    pending,
    errors,
    email: envelope.data?.email ?? envelope.data?.user?.email ?? null,
  };
}

/** Also sets the CSRF cookie, so it comes before any form is sent. */
export const session = (): Promise<AuthResult> => call("GET", "/auth/session");
export const signIn = async (email: string, password: string) => {
  await session();
  return call("POST", "/auth/login", { email, password });
};
export const signUp = async (email: string, password: string) => {
  await session();
  return call("POST", "/auth/signup", { email, password });
};
export const signOut = (): Promise<AuthResult> => call("DELETE", "/auth/session");
export const passwordRequest = async (email: string) => {
  await session();
  return call("POST", "/auth/password/request", { email });
};
export const passwordKeyCheck = (key: string) =>
  call("GET", "/auth/password/reset", undefined, { "X-Password-Reset-Key": key });
export const passwordReset = async (key: string, password: string) => {
  await session();
  return call("POST", "/auth/password/reset", { key, password });
};
export const emailVerify = async (key: string) => {
  await session();
  return call("POST", "/auth/email/verify", { key });
};
