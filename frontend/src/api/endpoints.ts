/** Every call the page makes, one line each; the only file that spells paths. */
import { client, idempotencyKey, unwrap } from "./client";
import type { Run, RunNew, TargetPriceSet } from "./types";

type Signal = { signal?: AbortSignal };
const path = <T>(params: T) => ({ params: { path: params } });
const created = () => ({ header: idempotencyKey() });

export const me = (o: Signal = {}) => unwrap(client.GET("/api/v1/me", o));

export const tokens = (o: Signal = {}) => unwrap(client.GET("/api/v1/tokens", o));
export const tokenCreate = (name: string, days: number | null) =>
  unwrap(
    client.POST("/api/v1/tokens", {
      params: created(),
      body: days ? { name, expires_in_days: days } : { name },
    }),
  );
export const tokenRevoke = (id: string) =>
  unwrap(client.DELETE("/api/v1/tokens/{token_id}", path({ token_id: id })));

export const uploadsReceiving = (o: Signal = {}) =>
  unwrap(client.GET("/api/v1/uploads", { ...o, params: { query: { state: "receiving", limit: 100 } } }));
export const upload = (id: string, o: Signal = {}) =>
  unwrap(client.GET("/api/v1/uploads/{upload_id}", { ...o, ...path({ upload_id: id }) }));
export const uploadCreate = (body: {
  filename: string;
  size_bytes: number;
  sha256: string;
  model_name?: string;
}) => unwrap(client.POST("/api/v1/uploads", { params: created(), body: { purpose: "model", ...body } }));
export const uploadParts = (id: string, numbers: number[]) =>
  unwrap(
    client.POST("/api/v1/uploads/{upload_id}/parts", {
      ...path({ upload_id: id }),
      body: { part_numbers: numbers },
    }),
  );
export const uploadComplete = (id: string) =>
  unwrap(client.POST("/api/v1/uploads/{upload_id}/complete", path({ upload_id: id })));
export const uploadAbort = (id: string) =>
  unwrap(client.DELETE("/api/v1/uploads/{upload_id}", path({ upload_id: id })));

export const models = (cursor: string | null, o: Signal = {}) =>
  unwrap(
    client.GET("/api/v1/models", { ...o, params: { query: { limit: 50, ...(cursor ? { cursor } : {}) } } }),
  );
export const model = (id: string, o: Signal = {}) =>
  unwrap(client.GET("/api/v1/models/{model_id}", { ...o, ...path({ model_id: id }) }));
export const modelRename = (id: string, name: string) =>
  unwrap(client.PATCH("/api/v1/models/{model_id}", { ...path({ model_id: id }), body: { name } }));
export const modelDelete = (id: string) =>
  unwrap(client.DELETE("/api/v1/models/{model_id}", path({ model_id: id })));
export const modelVersions = (id: string, o: Signal = {}) =>
  unwrap(
    client.GET("/api/v1/models/{model_id}/versions", {
      ...o,
      params: { path: { model_id: id }, query: { limit: 100 } },
    }),
  );
export const version = (id: string, o: Signal = {}) =>
  unwrap(client.GET("/api/v1/versions/{version_id}", { ...o, ...path({ version_id: id }) }));

export const targets = (o: Signal = {}) => unwrap(client.GET("/api/v1/targets", o));
export const targetPriceSet = (id: string, body: TargetPriceSet) =>
  unwrap(client.PUT("/api/v1/targets/{target_id}/price", { ...path({ target_id: id }), body }));
export const targetPriceClear = (id: string) =>
  unwrap(client.DELETE("/api/v1/targets/{target_id}/price", path({ target_id: id })));
export const hosts = (o: Signal = {}) => unwrap(client.GET("/api/v1/hosts", o));
export const recipes = (o: Signal = {}) => unwrap(client.GET("/api/v1/recipes", o));

export interface PriceQuery {
  provider?: string;
  region?: string;
  search?: string;
}
export const prices = (query: PriceQuery, cursor: string | null, o: Signal = {}) =>
  unwrap(
    client.GET("/api/v1/prices", {
      ...o,
      params: { query: { ...query, limit: 50, ...(cursor ? { cursor } : {}) } },
    }),
  );

export interface RunQuery {
  version_id?: string;
  model_id?: string;
  state?: Run["state"];
}
export const runs = (query: RunQuery, cursor: string | null, o: Signal = {}) =>
  unwrap(
    client.GET("/api/v1/runs", {
      ...o,
      params: { query: { ...query, limit: 30, ...(cursor ? { cursor } : {}) } },
    }),
  );
export const run = (id: string, o: Signal = {}) =>
  unwrap(client.GET("/api/v1/runs/{run_id}", { ...o, ...path({ run_id: id }) }));
export const runStart = (body: RunNew) => unwrap(client.POST("/api/v1/runs", { params: created(), body }));
export const runCancel = (id: string) =>
  unwrap(client.POST("/api/v1/runs/{run_id}/cancel", path({ run_id: id })));
export const runRetry = (id: string) =>
  unwrap(client.POST("/api/v1/runs/{run_id}/retry", { params: { path: { run_id: id }, ...created() } }));
export const comparison = (id: string, o: Signal = {}) =>
  unwrap(client.GET("/api/v1/runs/{run_id}/comparison", { ...o, ...path({ run_id: id }) }));

/** All jobs of a run: a run has tens, so the pages are followed to the end. */
export async function runJobs(id: string, o: Signal = {}) {
  const items = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = cursor ? { limit: 100, cursor } : { limit: 100 };
    const page = await unwrap(
      client.GET("/api/v1/runs/{run_id}/jobs", { ...o, params: { path: { run_id: id }, query } }),
    );
    items.push(...page.items);
    cursor = page.next_cursor ?? null;
  } while (cursor);
  return items;
}
export const job = (id: string, o: Signal = {}) =>
  unwrap(client.GET("/api/v1/jobs/{job_id}", { ...o, ...path({ job_id: id }) }));
export const jobEvents = (id: string, after: number, o: Signal = {}) =>
  unwrap(
    client.GET("/api/v1/jobs/{job_id}/events", {
      ...o,
      params: { path: { job_id: id }, query: { after, limit: 500 } },
    }),
  );
export const jobCancel = (id: string) =>
  unwrap(client.POST("/api/v1/jobs/{job_id}/cancel", path({ job_id: id })));
export const jobRetry = (id: string) =>
  unwrap(client.POST("/api/v1/jobs/{job_id}/retry", { params: { path: { job_id: id }, ...created() } }));

export const metrics = (o: Signal = {}) => unwrap(client.GET("/api/v1/metrics", o));
export const localMail = (o: Signal = {}) => unwrap(client.GET("/api/v1/local-mail", o));

export const artifactUrl = (id: string): string => `/api/v1/artifacts/${encodeURIComponent(id)}/download`;
export const comparisonCsvUrl = (runId: string): string =>
  `/api/v1/runs/${encodeURIComponent(runId)}/comparison.csv`;
export const comparisonJsonUrl = (runId: string): string =>
  `/api/v1/runs/${encodeURIComponent(runId)}/comparison`;
