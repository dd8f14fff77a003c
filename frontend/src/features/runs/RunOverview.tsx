import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { RUN_OPEN, runJobsQuery, runQuery } from "@/api/queries";
import type { Job, Run } from "@/api/types";
import { duration, sentence, times } from "@/shared/format";
import { Badge, ErrorNote, Note, StateBadge, useNow } from "@/shared/ui/feedback";
import { Gauge, RowsSkeleton, Section, TableScroll } from "@/shared/ui/layout";
import { ended, jobsByTarget, runProgress } from "./progress";
import styles from "./runs.module.css";

const route = getRouteApi("/app/runs/$runId");

function Progress({ run, jobs }: { run: Run; jobs: readonly Job[] }) {
  const counts = run.job_counts;
  const left = run.estimated_seconds_left;
  return (
    <div className={styles.progress}>
      <div className={styles.progressHead}>
        <span aria-live="polite">
          {ended(counts)} of {counts.total} jobs ended, {counts.running} running, {counts.queued} waiting
        </span>
        <span className="dim">
          {left === null ? "Time left: not known yet" : `About ${duration(Math.max(1, left))} left`}
        </span>
      </div>
      <Gauge label="Progress of the run" value={runProgress(run, jobs)} />
    </div>
  );
}

function Hero({ run }: { run: Run }) {
  const { summary } = run;
  if (!summary?.headline) return null;
  return (
    <div className={styles.hero}>
      {summary.speedup !== null && summary.winner_job_id && (
        <div className={styles.figure}>{times(summary.speedup)}</div>
      )}
      <div className={styles.heroText}>
        <p>{summary.headline}</p>
        <p>
          <Link to="/runs/$runId/comparison" params={{ runId: run.id }}>
            Compare everything that was measured
          </Link>
          {summary.winner_job_id && (
            <>
              {" · "}
              <Link to="/jobs/$jobId" params={{ jobId: summary.winner_job_id }}>
                Open the winner
              </Link>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function seconds(job: Job, now: number): number | null {
  if (!job.started_at) return null;
  return ((job.ended_at ? Date.parse(job.ended_at) : now) - Date.parse(job.started_at)) / 1000;
}

function Row({ job, now, winner }: { job: Job; now: number; winner: boolean }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} style={{ fontWeight: 550 }}>
          {job.recipe_label}
        </Link>{" "}
        {job.is_baseline && <Badge tone="quiet">Baseline</Badge>}{" "}
        {winner && <Badge tone="good">Winner</Badge>}
        {(job.failure || job.why) && <div className={styles.why}>{job.failure?.message ?? job.why}</div>}
      </Table.Td>
      <Table.Td>
        <StateBadge state={job.state} cancelling={job.cancel_requested} />
      </Table.Td>
      <Table.Td className="nowrap">
        <span className={styles.stages} aria-hidden="true">
          {job.stages.map((stage) => (
            <i key={stage.name} data-state={stage.state} title={`${sentence(stage.name)}: ${stage.state}`} />
          ))}
        </span>{" "}
        <span style={{ fontSize: "0.84rem" }}>
          {job.state === "running" && job.stage ? sentence(job.stage) : ""}
        </span>
      </Table.Td>
      <Table.Td className="num">{duration(seconds(job, now))}</Table.Td>
    </Table.Tr>
  );
}

function Jobs({ run, jobs }: { run: Run; jobs: readonly Job[] }) {
  const now = useNow(RUN_OPEN.has(run.state) ? 1_000 : null);
  return jobsByTarget(run, jobs).map((group) => (
    <Section key={group.id} title={group.name} flush>
      <TableScroll label={`Jobs on ${group.name}`}>
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Recipe</Table.Th>
              <Table.Th scope="col" w={130}>
                State
              </Table.Th>
              <Table.Th scope="col" w={240}>
                Stages
              </Table.Th>
              <Table.Th scope="col" className="num" w={110}>
                Time
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {group.jobs.map((job) => (
              <Row key={job.id} job={job} now={now} winner={job.id === run.summary?.winner_job_id} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Section>
  ));
}

export function RunOverview() {
  const { runId } = route.useParams();
  const run = useQuery(runQuery(runId));
  const open = run.data !== undefined && RUN_OPEN.has(run.data.state);
  const jobs = useQuery(runJobsQuery(runId, open));
  if (!run.data) return null;
  const dims = Object.entries(run.data.dims);
  return (
    <>
      {open && <Progress run={run.data} jobs={jobs.data ?? []} />}
      {!open && <Hero run={run.data} />}
      {!open && !run.data.summary && (
        <div style={{ marginBottom: 16 }}>
          <Note tone="warning">This run ended without a result to compare.</Note>
        </div>
      )}
      {dims.length > 0 && (
        <p className="dim">
          Bound axes: <code>{dims.map(([name, value]) => `${name}=${value}`).join(", ")}</code>
          {run.data.retry_of && (
            <>
              {" · a retry of "}
              <Link to="/runs/$runId" params={{ runId: run.data.retry_of }}>
                an earlier run
              </Link>
            </>
          )}
        </p>
      )}
      {jobs.isPending && (
        <Section title="Jobs" flush>
          <RowsSkeleton rows={6} />
        </Section>
      )}
      {jobs.isError && <ErrorNote error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.data && <Jobs run={run.data} jobs={jobs.data} />}
    </>
  );
}
