import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { artifactUrl } from "@/api/endpoints";
import type { Candidate, Comparison } from "@/api/types";
import { bytes, change, MISSING, sig3, usdPerHour } from "@/shared/format";
import { Badge, StateBadge } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { TableScroll } from "@/shared/ui/layout";
import { MetricInfo } from "@/shared/ui/metric";
import styles from "./comparison.module.css";
import { type Column, nextSort, qualityText, type Sort } from "./table";

const STATUSES: Record<string, string> = {
  unsteady: "unsteady",
  too_few_samples: "few samples",
  noisy_host: "noisy host",
};

function Head({ column, sort, onSort }: { column: Column; sort: Sort; onSort: (sort: string) => void }) {
  const active = sort.key === column.key;
  const numeric = column.metric !== null;
  return (
    <th
      scope="col"
      className={column.key === "recipe" ? styles.first : numeric ? styles.n : undefined}
      aria-sort={active ? (sort.descending ? "descending" : "ascending") : "none"}
    >
      <span className={styles.headCell}>
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column))}>
          {column.title}
          {active && <Icon name={sort.descending ? "sortDown" : "sortUp"} />}
        </button>
        {column.metric && <MetricInfo name={column.key} />}
      </span>
      <span className={styles.unit}>{column.unit}</span>
    </th>
  );
}

function MetricCell({
  column,
  candidate,
  longest,
}: {
  column: Column;
  candidate: Candidate;
  longest: number;
}) {
  const value = candidate.values[column.key];
  if (value === null || value === undefined) {
    const why = candidate.missing[column.key];
    return <td className={styles.n}>{why ? <span className={styles.missing}>{why}</span> : MISSING}</td>;
  }
  const ratio = candidate.is_baseline ? null : candidate.versus_baseline[column.key];
  const changed = change(column.key, ratio, column.metric?.direction ?? "none");
  return (
    <td className={styles.n}>
      <span className={styles.main}>{column.text(candidate)}</span>
      {changed && (
        <span className={styles.sub} data-verdict={changed.verdict}>
          {changed.text}
        </span>
      )}
      {column.key === "latency_p50_ms" && longest > 0 && (
        <span className={styles.bar} data-baseline={candidate.is_baseline || undefined} aria-hidden="true">
          <i style={{ width: `${Math.max(2, (value / longest) * 100)}%` }} />
        </span>
      )}
    </td>
  );
}

function Precision({ candidate }: { candidate: Candidate }) {
  const { precision_effective: effective, precision_requested: requested } = candidate;
  if (!effective) return <>{MISSING}</>;
  if (effective === requested) return <>{effective}</>;
  return (
    <Badge tone="warn">
      {effective}, not {requested}
    </Badge>
  );
}

function Quality({ candidate }: { candidate: Candidate }) {
  const { quality } = candidate;
  if (!quality) return <>{MISSING}</>;
  const text = candidate.is_baseline ? "reference" : qualityText(candidate);
  const tone = quality.verdict === "fail" ? "bad" : quality.verdict === "differs" ? "warn" : null;
  return (
    <>
      <span className="nowrap">{tone ? <Badge tone={tone}>{text}</Badge> : text}</span>
      {!candidate.is_baseline && quality.max_abs !== null && (
        <span className={styles.sub} title={quality.note}>
          max abs {sig3(quality.max_abs)}
        </span>
      )}
    </>
  );
}

function Target({ candidate }: { candidate: Candidate }) {
  const { price } = candidate;
  return (
    <>
      <span className="nowrap">{candidate.target.name}</span>
      <span className={styles.sub}>
        {price
          ? `${usdPerHour(price.usd_per_hour)}/h${price.kind === "stand_in" ? ", stand-in price" : ""}`
          : "no price"}
      </span>
    </>
  );
}

function RecipeCell({ candidate, winner }: { candidate: Candidate; winner: boolean }) {
  return (
    <th scope="row" className={styles.first}>
      <Link to="/jobs/$jobId" params={{ jobId: candidate.job_id }} style={{ fontWeight: 550 }}>
        {candidate.recipe_label}
      </Link>
      <span className={styles.badges}>
        {winner && <Badge tone="good">Winner</Badge>}
        {candidate.is_baseline && <Badge tone="quiet">Baseline</Badge>}
        {candidate.state !== "succeeded" && <StateBadge state={candidate.state} />}
        {candidate.status && candidate.status !== "valid" && (
          <Badge tone="warn">{STATUSES[candidate.status] ?? candidate.status}</Badge>
        )}
      </span>
      {candidate.failure && <span className={styles.because}>{candidate.failure.message}</span>}
      {!candidate.failure && candidate.not_recommended_because && (
        <span className={styles.because}>Not recommended, because {candidate.not_recommended_because}</span>
      )}
    </th>
  );
}

function Cell(props: { column: Column; candidate: Candidate; longest: number }): ReactNode {
  const { column, candidate } = props;
  if (column.metric) return <MetricCell {...props} />;
  switch (column.key) {
    case "target":
      return (
        <td>
          <Target candidate={candidate} />
        </td>
      );
    case "precision":
      return (
        <td>
          <Precision candidate={candidate} />
        </td>
      );
    case "quality":
      return (
        <td>
          <Quality candidate={candidate} />
        </td>
      );
    case "state":
      return (
        <td>
          <StateBadge state={candidate.state} />
        </td>
      );
    default:
      return <td>{column.text(candidate)}</td>;
  }
}

function Download({ candidate }: { candidate: Candidate }) {
  const { artifact } = candidate;
  if (!artifact) return <td />;
  const label = `Download ${artifact.filename} of ${candidate.recipe_label} (${bytes(artifact.size_bytes)})`;
  return (
    <td>
      <a href={artifactUrl(artifact.id)} aria-label={label} title={label}>
        <Icon name="download" size={18} />
      </a>
    </td>
  );
}

interface ResultTableProps {
  comparison: Comparison;
  columns: readonly Column[];
  rows: readonly Candidate[];
  sort: Sort;
  onSort: (sort: string) => void;
}

export function ResultTable({ comparison, columns, rows, sort, onSort }: ResultTableProps) {
  const longest = Math.max(0, ...rows.map((row) => row.values.latency_p50_ms ?? 0));
  return (
    <TableScroll label="Comparison of recipes and targets">
      <table className={styles.table}>
        <caption className="sr-only">
          Every recipe on every target. Select a column's title to sort by it; select a recipe to open its
          job.
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col">
              <span className="sr-only">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((candidate) => {
            const winner = candidate.job_id === comparison.winner_job_id;
            return (
              <tr
                key={candidate.job_id}
                data-winner={winner || undefined}
                data-dimmed={candidate.state !== "succeeded" || undefined}
              >
                {columns.map((column) =>
                  column.key === "recipe" ? (
                    <RecipeCell key="recipe" candidate={candidate} winner={winner} />
                  ) : (
                    <Cell key={column.key} column={column} candidate={candidate} longest={longest} />
                  ),
                )}
                <Download candidate={candidate} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableScroll>
  );
}
