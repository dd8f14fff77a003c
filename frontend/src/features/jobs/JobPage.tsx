import { Button, Table } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import * as api from "@/api/endpoints";
import { isStatus } from "@/api/problem";
import { invalidateRun, JOB_OPEN, jobQuery, RUN_OPEN, runQuery } from "@/api/queries";
import type { Job } from "@/api/types";
import { bytes, duration, sentence } from "@/shared/format";
import {
  Ago,
  Badge,
  ConfirmButton,
  CopyButton,
  ErrorNote,
  FailureNote,
  Note,
  StateBadge,
} from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { Facts, Gauge, PageHead, PageSkeleton, Section, TableScroll } from "@/shared/ui/layout";
import { JobLog } from "./JobLog";
import styles from "./jobs.module.css";
import { Measurements } from "./Measurements";

const route = getRouteApi("/app/jobs/$jobId");

function Actions({ job }: { job: Job }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const run = useQuery({ ...runQuery(job.run_id ?? ""), enabled: job.run_id !== null });
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ["job", job.id] });
    if (job.run_id) await invalidateRun(client, job.run_id);
  };
  const retry = useMutation({
    mutationFn: () => api.jobRetry(job.id),
    onSuccess: async (next) => {
      await refresh();
      await navigate({ to: "/jobs/$jobId", params: { jobId: next.id } });
    },
  });
  if (JOB_OPEN.has(job.state))
    return (
      <ConfirmButton
        label="Cancel job"
        title="Cancel this job?"
        confirm="Cancel the job"
        disabled={job.cancel_requested}
        action={async () => {
          await api.jobCancel(job.id);
          await refresh();
        }}
      >
        Only this job is stopped; the others of its run go on.
      </ConfirmButton>
    );
  const runOpen = run.data !== undefined && RUN_OPEN.has(run.data.state);
  if (job.state === "succeeded" || !runOpen) return null;
  return (
    <>
      {retry.isError && <ErrorNote error={retry.error} />}
      <Button
        variant="default"
        leftSection={<Icon name="retry" />}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Retry this job
      </Button>
    </>
  );
}

function Stages({ job }: { job: Job }) {
  return (
    <Section
      title="Stages"
      aside={
        <span className="dim tnum">
          {job.attempt > 1 && `Attempt ${job.attempt} · `}
          {JOB_OPEN.has(job.state) ? `${Math.round(job.progress * 100)} %` : ""}
        </span>
      }
    >
      {JOB_OPEN.has(job.state) && (
        <div style={{ marginBottom: 12 }}>
          <Gauge label="Progress of the job" value={job.progress} />
        </div>
      )}
      <ol className={styles.stages}>
        {job.stages.map((stage) => (
          <li key={stage.name} data-state={stage.state}>
            <strong>{sentence(stage.name)}</strong>
            <small>
              {sentence(stage.state)}
              {stage.seconds !== null && `, ${duration(stage.seconds)}`}
            </small>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Artifacts({ job }: { job: Job }) {
  if (job.artifacts.length === 0) return null;
  return (
    <Section title="Files" flush>
      <TableScroll label="Files">
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">File</Table.Th>
              <Table.Th scope="col">Kind</Table.Th>
              <Table.Th scope="col" className="num">
                Size
              </Table.Th>
              <Table.Th scope="col">SHA-256</Table.Th>
              <Table.Th scope="col">
                <span className="sr-only">Download</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {job.artifacts.map((artifact) => (
              <Table.Tr key={artifact.id}>
                <Table.Th scope="row">{artifact.filename}</Table.Th>
                <Table.Td className="nowrap">{sentence(artifact.kind)}</Table.Td>
                <Table.Td className="num">{bytes(artifact.size_bytes)}</Table.Td>
                <Table.Td className="nowrap">
                  <code title={artifact.sha256}>{artifact.sha256.slice(0, 12)}…</code>{" "}
                  <CopyButton text={artifact.sha256} label={`Copy the SHA-256 of ${artifact.filename}`} />
                </Table.Td>
                <Table.Td className="num">
                  <Button
                    component="a"
                    size="xs"
                    variant="default"
                    href={api.artifactUrl(artifact.id)}
                    leftSection={<Icon name="download" />}
                  >
                    Download<span className="sr-only"> {artifact.filename}</span>
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Section>
  );
}

function Recipe({ job }: { job: Job }) {
  const { recipe } = job;
  if (!recipe) return null;
  const options = Object.entries(recipe.options).map(([name, value]) => `${name}=${value}`);
  return (
    <Section title="Recipe">
      {recipe.description && <p style={{ marginTop: 0 }}>{recipe.description}</p>}
      <Facts
        items={[
          { key: "backend", label: "Backend", value: <small>{recipe.backend}</small> },
          { key: "precision", label: "Precision asked for", value: <small>{recipe.precision}</small> },
          {
            key: "passes",
            label: "Passes",
            value: <small>{recipe.passes.map((pass) => pass.name).join(", ") || "none"}</small>,
          },
          { key: "options", label: "Options", value: <small>{options.join(", ") || "none"}</small> },
          {
            key: "fingerprint",
            label: "Fingerprint",
            value: (
              <small>
                <code>{job.recipe_fingerprint}</code>
              </small>
            ),
          },
        ]}
      />
    </Section>
  );
}

const titleOf = (job: Job): string =>
  job.kind === "inspect" ? "Inspection" : `${job.recipe_label}${job.target ? ` on ${job.target.name}` : ""}`;

function Head({ job }: { job: Job }) {
  const back = job.run_id ? (
    <Link key="run" to="/runs/$runId" params={{ runId: job.run_id }}>
      Its run
    </Link>
  ) : (
    <Link key="version" to="/versions/$versionId" params={{ versionId: job.version_id }}>
      Its version
    </Link>
  );
  const took =
    job.started_at && job.ended_at ? (Date.parse(job.ended_at) - Date.parse(job.started_at)) / 1000 : null;
  return (
    <PageHead
      title={titleOf(job)}
      crumbs={[
        <Link key="runs" to={job.run_id ? "/runs" : "/models"}>
          {job.run_id ? "Runs" : "Models"}
        </Link>,
        back,
      ]}
      lede={
        <>
          <StateBadge state={job.state} cancelling={job.cancel_requested} />{" "}
          {job.is_baseline && <Badge tone="quiet">Baseline</Badge>} made <Ago at={job.created_at} />
          {took !== null && `, took ${duration(took)}`}
          {job.retry_of && (
            <>
              {", a retry of "}
              <Link to="/jobs/$jobId" params={{ jobId: job.retry_of }}>
                an earlier job
              </Link>
            </>
          )}
        </>
      }
      actions={<Actions job={job} />}
    />
  );
}

export function JobPage() {
  const { jobId } = route.useParams();
  const query = useQuery(jobQuery(jobId));
  if (query.isPending) return <PageSkeleton />;
  if (query.isError) {
    if (isStatus(query.error, 404)) throw query.error;
    return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  }
  const job = query.data;
  return (
    <>
      <Head job={job} />
      {job.failure && (
        <div style={{ marginBottom: 16 }}>
          <FailureNote failure={job.failure} />
        </div>
      )}
      {!job.failure && job.why && (
        <div style={{ marginBottom: 16 }}>
          <Note tone="info">{job.why}</Note>
        </div>
      )}
      <Stages job={job} />
      {job.measurements && job.measurements.length > 0 && <Measurements measurements={job.measurements} />}
      <Artifacts job={job} />
      <JobLog jobId={job.id} open={JOB_OPEN.has(job.state)} />
      <Recipe job={job} />
    </>
  );
}
