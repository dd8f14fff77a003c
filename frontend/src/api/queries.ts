/** Query options shared by features: what is cached under which key, and how often it is asked again. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import * as api from "./endpoints";
import type { JobState, RunState } from "./types";

export const RUN_OPEN: ReadonlySet<RunState> = new Set(["queued", "running"]);
export const JOB_OPEN: ReadonlySet<JobState> = new Set(["queued", "running"]);

const LIVE = 1_000;
const SLOW = 5_000;

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => api.me({ signal }),
  staleTime: 60_000,
});

export const modelsQuery = infiniteQueryOptions({
  queryKey: ["models"],
  queryFn: ({ pageParam, signal }) => api.models(pageParam, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: (query) =>
    query.state.data?.pages.some((p) => p.items.some((m) => m.latest_version?.state === "inspecting"))
      ? LIVE
      : false,
});

export const modelQuery = (id: string) =>
  queryOptions({ queryKey: ["model", id], queryFn: ({ signal }) => api.model(id, { signal }) });

export const modelVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["model", id, "versions"],
    queryFn: ({ signal }) => api.modelVersions(id, { signal }),
    refetchInterval: (query) =>
      query.state.data?.items.some((v) => v.state === "inspecting") ? LIVE : false,
  });

export const versionQuery = (id: string) =>
  queryOptions({
    queryKey: ["version", id],
    queryFn: ({ signal }) => api.version(id, { signal }),
    refetchInterval: (query) => (query.state.data?.state === "inspecting" ? LIVE : false),
  });

export const targetsQuery = queryOptions({
  queryKey: ["targets"],
  queryFn: ({ signal }) => api.targets({ signal }),
  refetchInterval: SLOW,
});

export const hostsQuery = queryOptions({
  queryKey: ["hosts"],
  queryFn: ({ signal }) => api.hosts({ signal }),
  refetchInterval: SLOW,
});

export const recipesQuery = queryOptions({
  queryKey: ["recipes"],
  queryFn: ({ signal }) => api.recipes({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const metricsQuery = queryOptions({
  queryKey: ["metrics"],
  queryFn: ({ signal }) => api.metrics({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const pricesQuery = (query: api.PriceQuery) =>
  infiniteQueryOptions({
    queryKey: ["prices", query],
    queryFn: ({ pageParam, signal }) => api.prices(query, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
    staleTime: 60_000,
  });

export const runsQuery = (query: api.RunQuery) =>
  infiniteQueryOptions({
    queryKey: ["runs", query],
    queryFn: ({ pageParam, signal }) => api.runs(query, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (q) =>
      q.state.data?.pages.some((p) => p.items.some((r) => RUN_OPEN.has(r.state))) ? 2 * LIVE : false,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id],
    queryFn: ({ signal }) => api.run(id, { signal }),
    refetchInterval: (query) => (query.state.data && RUN_OPEN.has(query.state.data.state) ? LIVE : false),
  });

export const runJobsQuery = (id: string, live: boolean) =>
  queryOptions({
    queryKey: ["run", id, "jobs"],
    queryFn: ({ signal }) => api.runJobs(id, { signal }),
    refetchInterval: live ? LIVE : false,
  });

export const comparisonQuery = (id: string, live: boolean) =>
  queryOptions({
    queryKey: ["run", id, "comparison"],
    queryFn: ({ signal }) => api.comparison(id, { signal }),
    refetchInterval: live ? 2 * LIVE : false,
  });

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id],
    queryFn: ({ signal }) => api.job(id, { signal }),
    refetchInterval: (query) => (query.state.data && JOB_OPEN.has(query.state.data.state) ? LIVE : false),
  });

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => api.tokens({ signal }),
});

export const localMailQuery = queryOptions({
  queryKey: ["local-mail"],
  queryFn: ({ signal }) => api.localMail({ signal }),
  refetchInterval: SLOW,
});

/** After something about a run changed by our hand: every view of it asks again. */
export const invalidateRun = (client: QueryClient, runId: string): Promise<void> =>
  Promise.all([
    client.invalidateQueries({ queryKey: ["run", runId] }),
    client.invalidateQueries({ queryKey: ["runs"] }),
  ]).then(() => undefined);
