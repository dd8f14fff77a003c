import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { artifactUrl } from "@/api/endpoints";
import { isStatus } from "@/api/problem";
import { jobQuery, versionQuery } from "@/api/queries";
import type { ModelDescription, Version } from "@/api/types";
import { bytes, count, integer, sentence } from "@/shared/format";
import { Ago, CopyButton, ErrorNote, FailureNote, FindingList, StateBadge } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { Facts, Gauge, PageHead, PageSkeleton, Section } from "@/shared/ui/layout";
import styles from "./models.module.css";
import { Signature } from "./Signature";

function Inspecting({ version }: { version: Version }) {
  const job = useQuery({
    ...jobQuery(version.inspect_job_id ?? ""),
    enabled: version.inspect_job_id !== null,
  });
  const stage = job.data?.stage ? sentence(job.data.stage) : "Waiting for a free runner";
  return (
    <Section
      title="Reading the file"
      aside={
        version.inspect_job_id && (
          <Link to="/jobs/$jobId" params={{ jobId: version.inspect_job_id }}>
            Open the log
          </Link>
        )
      }
    >
      <div className={styles.live} aria-live="polite">
        <span className="nowrap">{stage}</span>
        <div style={{ flex: 1 }}>
          <Gauge label="Inspection" value={job.data?.progress ?? 0} />
        </div>
      </div>
      <p className="dim">
        The file is opened in a sandbox: its format is detected and checked, and its inputs and operators are
        read. This page changes by itself.
      </p>
    </Section>
  );
}

const SHOWN = 12;

function Operators({ operators }: { operators: Record<string, number> }) {
  const [all, setAll] = useState(false);
  const sorted = Object.entries(operators).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const most = sorted[0]?.[1] ?? 1;
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  return (
    <>
      <div className={styles.ops}>
        {shown.map(([name, times]) => (
          <div className={styles.op} key={name}>
            <code title={name}>{name}</code>
            <i style={{ width: `${(times / most) * 100}%` }} />
            <span>{integer(times)}</span>
          </div>
        ))}
      </div>
      {sorted.length > SHOWN && (
        <Button variant="subtle" size="xs" mt={8} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${sorted.length}`}
        </Button>
      )}
    </>
  );
}

function Description({ version, description }: { version: Version; description: ModelDescription }) {
  const bound = Object.entries(description.flops_at ?? {});
  const opsets = Object.entries(description.opsets ?? {}).map(([name, v]) =>
    name === "" || name === "ai.onnx" ? String(v) : `${name} ${v}`,
  );
  return (
    <>
      <div style={{ marginBottom: 16 }}>
        <Facts
          items={[
            { key: "format", label: "Format", value: description.format.toUpperCase() },
            { key: "opset", label: "Opset", value: opsets.join(", ") || "–" },
            {
              key: "parameters",
              label: "Parameters",
              value: <span title={integer(description.parameters)}>{count(description.parameters)}</span>,
            },
            {
              key: "flops",
              label: "FLOPs",
              value: (
                <>
                  {count(description.flops)}
                  {bound.length > 0 && (
                    <small> at {bound.map(([name, v]) => `${name}=${v}`).join(", ")}</small>
                  )}
                </>
              ),
            },
            { key: "nodes", label: "Nodes", value: integer(description.nodes) },
            { key: "precision", label: "Precision", value: description.precision },
            { key: "size", label: "Size", value: bytes(version.size_bytes) },
            { key: "producer", label: "Made by", value: <small>{description.producer || "unknown"}</small> },
          ]}
        />
      </div>
      <div className={styles.two}>
        <Signature description={description} />
        <Section title={`Operators (${integer(Object.keys(description.operators).length)} kinds)`}>
          <Operators operators={description.operators} />
        </Section>
      </div>
    </>
  );
}

export function VersionPage({ versionId, runs }: { versionId: string; runs: ReactNode }) {
  const query = useQuery(versionQuery(versionId));
  if (query.isPending) return <PageSkeleton />;
  if (query.isError) {
    if (isStatus(query.error, 404)) throw query.error;
    return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  }
  const version = query.data;
  const title = `${version.model_name}, version ${version.number}`;
  return (
    <>
      <PageHead
        documentTitle={title}
        title={
          <>
            {version.model_name} <span className="dim">v{version.number}</span>
          </>
        }
        crumbs={[
          <Link key="models" to="/models">
            Models
          </Link>,
          <Link key="model" to="/models/$modelId" params={{ modelId: version.model_id }}>
            {version.model_name}
          </Link>,
        ]}
        lede={
          <>
            <StateBadge state={version.state} /> {version.filename}, {bytes(version.size_bytes)}, uploaded{" "}
            <Ago at={version.created_at} />
          </>
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<Icon name="download" />}
              component="a"
              href={artifactUrl(version.source_artifact_id)}
            >
              Download
            </Button>
            {version.state === "ready" && (
              <Button
                leftSection={<Icon name="play" size={12} />}
                renderRoot={(props) => (
                  <Link to="/versions/$versionId/run" params={{ versionId }} {...props} />
                )}
              >
                New run
              </Button>
            )}
          </>
        }
      />
      {version.state === "inspecting" && <Inspecting version={version} />}
      {version.state === "rejected" && (
        <Section
          title="Why it was rejected"
          aside={
            version.inspect_job_id && (
              <Link to="/jobs/$jobId" params={{ jobId: version.inspect_job_id }}>
                Open the log
              </Link>
            )
          }
        >
          {version.failure && <FailureNote failure={version.failure} />}
        </Section>
      )}
      {version.description && <Description version={version} description={version.description} />}
      {version.findings.length > 0 && (
        <Section title="Findings">
          <FindingList findings={version.findings} />
        </Section>
      )}
      {version.state === "ready" && (
        <Section title="Runs of this version" flush>
          {runs}
        </Section>
      )}
      <p className="dim" style={{ fontSize: "0.8rem" }}>
        SHA-256 <code>{version.sha256}</code> <CopyButton text={version.sha256} label="Copy the SHA-256" />
      </p>
    </>
  );
}
