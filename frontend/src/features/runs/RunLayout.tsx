import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import * as api from "@/api/endpoints";
import { isStatus } from "@/api/problem";
import { invalidateRun, RUN_OPEN, runQuery } from "@/api/queries";
import type { Run } from "@/api/types";
import { sentence } from "@/shared/format";
import { Ago, ConfirmButton, ErrorNote, StateBadge } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { PageHead, PageSkeleton } from "@/shared/ui/layout";
import styles from "./runs.module.css";

const route = getRouteApi("/app/runs/$runId");

function Actions({ run }: { run: Run }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => api.runRetry(run.id),
    onSuccess: async (next) => {
      await client.invalidateQueries({ queryKey: ["runs"] });
      await navigate({ to: "/runs/$runId", params: { runId: next.id } });
    },
  });
  if (RUN_OPEN.has(run.state))
    return (
      <ConfirmButton
        label="Cancel run"
        title="Cancel this run?"
        confirm="Cancel the run"
        disabled={run.cancel_requested}
        action={async () => {
          await api.runCancel(run.id);
          await invalidateRun(client, run.id);
        }}
      >
        Jobs that wait are dropped and those that run are stopped. What was measured so far is kept.
      </ConfirmButton>
    );
  const { total, succeeded } = run.job_counts;
  return (
    <>
      {retry.isError && <ErrorNote error={retry.error} />}
      {succeeded < total && (
        <Button
          variant="default"
          leftSection={<Icon name="retry" />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry what did not succeed
        </Button>
      )}
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/versions/$versionId/run" params={{ versionId: run.version_id }} {...props} />
        )}
      >
        New run
      </Button>
    </>
  );
}

/** The last poll of an open run came before its last job ended: on the end, ask for everything once more. */
function useRefreshAtEnd(run: Run | undefined) {
  const client = useQueryClient();
  const wasOpen = useRef(false);
  const open = run !== undefined && RUN_OPEN.has(run.state);
  const id = run?.id;
  useEffect(() => {
    if (wasOpen.current && !open && id) void invalidateRun(client, id);
    wasOpen.current = open;
  }, [open, id, client]);
}

export function RunLayout() {
  const { runId } = route.useParams();
  const query = useQuery(runQuery(runId));
  useRefreshAtEnd(query.data);
  if (query.isPending) return <PageSkeleton />;
  if (query.isError) {
    if (isStatus(query.error, 404)) throw query.error;
    return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  }
  const run = query.data;
  return (
    <>
      <PageHead
        title={run.name || `Run of ${run.model_name}`}
        crumbs={[
          <Link key="runs" to="/runs">
            Runs
          </Link>,
          <Link key="version" to="/versions/$versionId" params={{ versionId: run.version_id }}>
            {run.model_name} v{run.version_number}
          </Link>,
        ]}
        lede={
          <>
            <StateBadge state={run.state} cancelling={run.cancel_requested} /> {sentence(run.objective)},{" "}
            {run.profile} profile
            {run.sla_p99_ms !== null && `, p99 within ${run.sla_p99_ms} ms`}, started{" "}
            <Ago at={run.created_at} />
          </>
        }
        actions={<Actions run={run} />}
      />
      <nav className={styles.tabs} aria-label="Views of this run">
        <Link to="/runs/$runId" params={{ runId }} activeOptions={{ exact: true, includeSearch: false }}>
          Overview
        </Link>
        <Link to="/runs/$runId/comparison" params={{ runId }} activeOptions={{ includeSearch: false }}>
          Comparison
        </Link>
      </nav>
      <Outlet />
    </>
  );
}
