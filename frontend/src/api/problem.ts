/** What the server says when something is wrong: RFC 9457 problem+json with our stable code. */
export interface Problem {
  code: string;
  title: string;
  detail: string;
  hint: string;
  status: number;
  requestId: string;
  errors: { loc: (string | number)[]; msg: string }[];
}

export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ApiError";
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): string {
    return this.problem.code;
  }
}

/** The request never reached the server, or its answer never reached us. */
export class NetworkError extends Error {
  constructor(cause?: unknown) {
    super("The server cannot be reached.", { cause });
    this.name = "NetworkError";
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function problemFrom(body: unknown, response: Response): Problem {
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const fallback =
    response.status >= 500 ? "The server failed on this request." : "The server refused this request.";
  return {
    code: text(fields.code) || `HTTP_${response.status}`,
    title: text(fields.title) || response.statusText,
    detail: text(fields.detail) || text(fields.title) || fallback,
    hint:
      text(fields.hint) || (response.status >= 500 ? "Try again. If it stays, report the request id." : ""),
    status: response.status,
    requestId: text(fields.request_id) || response.headers.get("X-Request-Id") || "",
    errors: Array.isArray(fields.errors) ? (fields.errors as Problem["errors"]) : [],
  };
}

/** Any thrown value, as the three things a reader needs: code, sentence, next step. */
export function describeError(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const base = { title: "", status: 0, requestId: "", errors: [] };
  if (error instanceof NetworkError)
    return {
      ...base,
      code: "SERVER_AWAY",
      detail: error.message,
      hint: "Check that Whetstone is running; this page carries on by itself.",
    };
  const message = error instanceof Error ? error.message : String(error);
  return { ...base, code: "PAGE_ERROR", detail: message, hint: "Reload the page. If it stays, report it." };
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;
