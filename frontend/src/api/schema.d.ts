type Json<T> = { content: { "application/json": T } };
type Params<P, Q = never> = { path: P; query?: Q; header?: Record<string, string> };
type NoPath = Record<string, never>;
type Op<P, Q, B, R, S extends number = 200> = {
  parameters: { path?: P; query?: Q; header?: { "Idempotency-Key"?: string | null } };
  requestBody?: B extends undefined ? undefined : Json<B>;
  responses: { [K in S]: R extends undefined ? { content?: never } : Json<R> };
};
type Page<T> = { items: T[]; next_cursor: string | null };
type Paging = { cursor?: string | null; limit?: number };
type S = components["schemas"];

export interface components {
  schemas: {
    Failure: { code: string; side: "user" | "system" | "limit"; message: string; hint: string; retryable: boolean; detail: Record<string, string | number> };
    Finding: { code: string; severity: "error" | "warning" | "info"; message: string; hint: string; where: string };
    TensorSpec: { name: string; dtype: string; shape: (number | string)[] };
    Dim: { name: string; used_by: string[]; suggested: number | null; is_batch: boolean };
    ModelDescription: {
      format: string; ir_version: number | null; opsets: Record<string, number>; producer: string; inputs: S["TensorSpec"][]; outputs: S["TensorSpec"][];
      operators: Record<string, number>; nodes: number; parameters: number; parameter_bytes: number; flops: number | null; flops_at: Record<string, number>;
      size_bytes: number; dims: S["Dim"][]; precision: string; deterministic: boolean;
    };
    Workspace: { id: string; name: string; role: string };
    Me: { user: { id: string | number; email: string; name: string }; workspace: S["Workspace"]; workspaces: S["Workspace"][]; features: { local_mail: boolean } };
    Token: { id: string; name: string; prefix: string; token?: string | null; created_at: string; expires_at: string | null; last_used_at: string | null };
    TokenNew: { name: string; expires_in_days?: number | null };
    Upload: {
      id: string; state: "receiving" | "completed" | "aborted" | "expired"; purpose: "model" | "dataset"; filename: string; size_bytes: number; sha256: string; part_size: number; part_count: number;
      received_parts: number[]; received_bytes: number; expires_at: string; created_at: string; model_id: string | null; version_id: string | null; dataset_id: string | null;
    };
    UploadNew: { filename: string; size_bytes: number; sha256: string; purpose?: "model" | "dataset"; model_name?: string | null };
    SignedPart: { part_number: number; url: string; method: string; headers: Record<string, string> };
    Model: { id: string; name: string; created_at: string; latest_version: S["Version"] | null; version_count: number; run_count: number };
    Version: {
      id: string; model_id: string; model_name: string; number: number; state: "inspecting" | "ready" | "rejected"; filename: string; format: string | null; size_bytes: number; sha256: string; created_at: string;
      description: S["ModelDescription"] | null; findings: S["Finding"][]; failure: S["Failure"] | null; inspect_job_id: string | null; source_artifact_id: string;
    };
    TargetRef: { id: string; slug: string; name: string };
    TargetPrice: { kind: "list" | "manual" | "stand_in"; usd_per_hour: string; provider: string; region: string; instance_type: string; source: string; as_of: string | null; note: string };
    TargetHost: { id: string; name: string; cpu_model: string; memory_bytes: number; fingerprint_hash: string; last_seen_at: string | null };
    Target: {
      id: string; slug: string; name: string; device: string; cores: number[]; state: "active" | "paused" | "retired"; online: boolean; host: S["TargetHost"]; price: S["TargetPrice"] | null;
      description: string; queued_jobs: number; running_jobs: number;
    };
    TargetPriceSet: { kind: "list" | "manual" | "stand_in"; price_id?: string; usd_per_hour?: string; note?: string; as_of?: string };
    Price: { id: string; provider: string; region: string; instance_type: string; cpu: string; accelerator: string; vcpus: number | null; usd_per_hour: string; price_kind: string; as_of: string; source: string };
    Fingerprint: {
      cpu_model: string; cpu_flags: string[]; architecture: string; logical_cores: number; physical_cores: number; memory_bytes: number; kernel: string; operating_system: string; python: string; libraries: Record<string, string>;
    };
    Host: { id: string; name: string; state: string; last_seen_at: string | null; fingerprint: S["Fingerprint"] | null; fingerprint_hash: string; isolation: string; runner_version: string; targets: S["TargetRef"][] };
    Recipe: { id: string; label: string; description: string; backend: string; precision: string; passes: { name: string; options: Record<string, string | number | boolean> }[]; options: Record<string, string | number | boolean>; is_baseline: boolean };
    RecipeItem: { id: string; label: string; description: string; backend: string; precision: string; is_baseline: boolean; fingerprint: string; recipe: S["Recipe"] };
    RunNew: {
      version_id: string; target_ids?: string[]; recipe_ids?: string[]; dims?: Record<string, number>; profile?: "quick" | "standard"; objective?: "latency" | "throughput" | "cost";
      sla_p99_ms?: number | null; dataset_id?: string | null; name?: string; time_limit_minutes?: number;
    };
    JobCounts: { total: number; queued: number; running: number; succeeded: number; failed: number; cancelled: number; timed_out: number; skipped: number };
    Summary: { headline: string; winner_job_id: string | null; baseline_job_id: string | null; speedup: number | null; failed: { job_id: string; label: string; target: string; code: string; message: string }[] };
    Run: {
      id: string; name: string; state: "queued" | "running" | "succeeded" | "partially_succeeded" | "failed" | "cancelled" | "timed_out"; model_id: string; model_name: string; version_id: string; version_number: number;
      profile: "quick" | "standard"; objective: "latency" | "throughput" | "cost"; sla_p99_ms: number | null; dims: Record<string, number>; dataset_id: string | null; created_at: string; started_at: string | null;
      ended_at: string | null; deadline_at: string | null; cancel_requested: boolean; retry_of: string | null; job_counts: S["JobCounts"]; targets: S["TargetRef"][]; summary: S["Summary"] | null; estimated_seconds_left: number | null;
    };
    StageInfo: { name: string; state: "waiting" | "running" | "succeeded" | "failed"; seconds: number | null };
    ArtifactRef: { id: string; kind: string; filename: string; size_bytes: number; sha256: string };
    Percentiles: { p50: number; p90: number | null; p95: number | null; p99: number | null };
    Measurement: {
      scenario: string; batch_size: number; threads: number; cores: number[]; samples: number; warmup_samples: number; duration_s: number; latency_ms: S["Percentiles"]; latency_mean_ms: number; latency_min_ms: number;
      latency_max_ms: number; throughput_per_s: number; status: string; status_reason: string; steal_fraction: number | null; busy_others_fraction: number | null; raw_samples: string | null;
    };
    Job: {
      id: string; run_id: string | null; version_id: string; kind: "inspect" | "optimize"; target: S["TargetRef"] | null; recipe_label: string; recipe: S["Recipe"] | null; recipe_fingerprint: string; is_baseline: boolean;
      state: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "timed_out" | "skipped"; stage: string; progress: number; stages: S["StageInfo"][]; attempt: number; cancel_requested: boolean; created_at: string;
      started_at: string | null; ended_at: string | null; failure: S["Failure"] | null; why: string; retry_of: string | null; artifacts: S["ArtifactRef"][]; measurements?: S["Measurement"][] | null;
    };
    JobEvent: { seq: number; at: string; kind: string; stage: string; message: string; data: Record<string, unknown>; attempt: number | null };
    JobEvents: { items: S["JobEvent"][]; last_seq: number };
    QualitySummary: { verdict: "pass" | "differs" | "fail" | "not_comparable"; max_abs: number | null; max_rel: number | null; cosine: number | null; top1: number | null; note: string };
    Candidate: {
      job_id: string; target: S["TargetRef"]; recipe_label: string; recipe_id: string; recipe_fingerprint: string; backend: string; is_baseline: boolean; state: S["Job"]["state"]; failure: S["Failure"] | null;
      precision_requested: string; precision_effective: string | null; device_effective: string | null; status: "valid" | "unsteady" | "too_few_samples" | "noisy_host" | null;
      values: Record<string, number | null>; missing: Record<string, string>; versus_baseline: Record<string, number | null>; speedup: number | null; quality: S["QualitySummary"] | null; price: S["TargetPrice"] | null;
      recommended: boolean; not_recommended_because: string | null; on_pareto: boolean; artifact: { id: string; filename: string; size_bytes: number } | null; fingerprint_hash: string | null; samples: number | null;
    };
    Comparison: {
      run_id: string; objective: string; sla_p99_ms: number | null; metrics: string[]; candidates: S["Candidate"][]; pareto: { x: string; y: string; job_ids: string[]; axis_note: string };
      winner_job_id: string | null; not_compared: { reason: string; job_ids: string[] }[];
    };
    Metric: { name: string; title: string; unit: string; direction: "lower" | "higher" | "none"; formula: string; description: string };
    ErrorInfo: { code: string; side: string; status: number; message: string; hint: string; retryable: boolean };
    LocalMail: { id: string; to: string; subject: string; text: string; html: string; created_at: string };
    Dataset: { id: string; name: string; state: string; created_at: string };
  };
}

export interface paths {
  "/api/v1/me": { get: Op<NoPath, never, undefined, S["Me"]> };
  "/api/v1/tokens": { get: Op<NoPath, Paging, undefined, Page<S["Token"]>>; post: Op<NoPath, never, S["TokenNew"], S["Token"], 201> };
  "/api/v1/tokens/{token_id}": { delete: Op<{ token_id: string }, never, undefined, undefined, 204> };
  "/api/v1/uploads": { get: Op<NoPath, Paging & { state?: string }, undefined, Page<S["Upload"]>>; post: Op<NoPath, never, S["UploadNew"], S["Upload"], 201> };
  "/api/v1/uploads/{upload_id}": { get: Op<{ upload_id: string }, never, undefined, S["Upload"]>; delete: Op<{ upload_id: string }, never, undefined, undefined, 204> };
  "/api/v1/uploads/{upload_id}/parts": { post: Op<{ upload_id: string }, never, { part_numbers: number[] }, { parts: S["SignedPart"][] }> };
  "/api/v1/uploads/{upload_id}/complete": { post: Op<{ upload_id: string }, never, Record<string, never>, S["Upload"]> };
  "/api/v1/models": { get: Op<NoPath, Paging, undefined, Page<S["Model"]>> };
  "/api/v1/models/{model_id}": {
    get: Op<{ model_id: string }, never, undefined, S["Model"]>;
    patch: Op<{ model_id: string }, never, { name: string }, S["Model"]>;
    delete: Op<{ model_id: string }, never, undefined, undefined, 204>;
  };
  "/api/v1/models/{model_id}/versions": { get: Op<{ model_id: string }, Paging, undefined, Page<S["Version"]>> };
  "/api/v1/versions/{version_id}": { get: Op<{ version_id: string }, never, undefined, S["Version"]> };
  "/api/v1/datasets": { get: Op<NoPath, Paging, undefined, Page<S["Dataset"]>> };
  "/api/v1/targets": { get: Op<NoPath, Paging, undefined, Page<S["Target"]>> };
  "/api/v1/targets/{target_id}/price": {
    put: Op<{ target_id: string }, never, S["TargetPriceSet"], S["Target"]>;
    delete: Op<{ target_id: string }, never, undefined, undefined, 204>;
  };
  "/api/v1/prices": { get: Op<NoPath, Paging & { provider?: string; region?: string; search?: string }, undefined, Page<S["Price"]>> };
  "/api/v1/hosts": { get: Op<NoPath, Paging, undefined, Page<S["Host"]>> };
  "/api/v1/recipes": { get: Op<NoPath, never, undefined, { items: S["RecipeItem"][] }> };
  "/api/v1/runs": { get: Op<NoPath, Paging & { version_id?: string; model_id?: string; state?: string }, undefined, Page<S["Run"]>>; post: Op<NoPath, never, S["RunNew"], S["Run"], 201> };
  "/api/v1/runs/{run_id}": { get: Op<{ run_id: string }, never, undefined, S["Run"]> };
  "/api/v1/runs/{run_id}/cancel": { post: Op<{ run_id: string }, never, undefined, S["Run"], 202> };
  "/api/v1/runs/{run_id}/retry": { post: Op<{ run_id: string }, never, undefined, S["Run"], 201> };
  "/api/v1/runs/{run_id}/jobs": { get: Op<{ run_id: string }, Paging, undefined, Page<S["Job"]>> };
  "/api/v1/runs/{run_id}/comparison": { get: Op<{ run_id: string }, never, undefined, S["Comparison"]> };
  "/api/v1/jobs/{job_id}": { get: Op<{ job_id: string }, never, undefined, S["Job"]> };
  "/api/v1/jobs/{job_id}/events": { get: Op<{ job_id: string }, { after?: number; limit?: number }, undefined, S["JobEvents"]> };
  "/api/v1/jobs/{job_id}/cancel": { post: Op<{ job_id: string }, never, undefined, S["Job"], 202> };
  "/api/v1/jobs/{job_id}/retry": { post: Op<{ job_id: string }, never, undefined, S["Job"], 201> };
  "/api/v1/metrics": { get: Op<NoPath, never, undefined, { items: S["Metric"][] }> };
  "/api/v1/local-mail": { get: Op<NoPath, never, undefined, { items: S["LocalMail"][] }> };
}
