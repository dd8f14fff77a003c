import { Table } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunQuery } from "@/api/endpoints";
import { RUN_OPEN, runsQuery } from "@/api/queries";
import type { Run } from "@/api/types";
import { sentence, times } from "@/shared/format";
import { Ago, ErrorNote, LoadMore, StateBadge } from "@/shared/ui/feedback";
import { Empty, Gauge, RowsSkeleton, TableScroll } from "@/shared/ui/layout";
import { ended } from "./progress";

type Columns = "model" | "version" | "none";

function Row({ run, columns }: { run: Run; columns: Columns }) {
  const { job_counts: counts } = run;
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/runs/$runId" params={{ runId: run.id }} style={{ fontWeight: 550 }}>
          {run.name || run.id}
        </Link>
        {run.summary?.headline && !RUN_OPEN.has(run.state) && (
          <div className="dim" style={{ fontSize: "0.82rem", maxWidth: "64ch" }}>
            {run.summary.headline}
          </div>
        )}
      </Table.Td>
      {columns !== "none" && (
        <Table.Td className="nowrap">
          <Link to="/versions/$versionId" params={{ versionId: run.version_id }}>
            {columns === "model"
              ? `${run.model_name} v${run.version_number}`
              : `Version ${run.version_number}`}
          </Link>
        </Table.Td>
      )}
      <Table.Td>
        <StateBadge state={run.state} cancelling={run.cancel_requested} />
      </Table.Td>
      <Table.Td className="nowrap">{sentence(run.objective)}</Table.Td>
      <Table.Td style={{ minWidth: 110 }}>
        <div className="tnum" style={{ fontSize: "0.84rem" }}>
          {ended(counts)} of {counts.total}
        </div>
        {RUN_OPEN.has(run.state) && (
          <Gauge
            label={`Jobs of ${run.name || run.id}`}
            value={counts.total ? ended(counts) / counts.total : 0}
          />
        )}
      </Table.Td>
      <Table.Td className="num">{run.summary?.speedup ? times(run.summary.speedup) : ""}</Table.Td>
      <Table.Td className="num">
        <Ago at={run.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

export function RunTable({ query: filter, columns }: { query: RunQuery; columns: Columns }) {
  const query = useInfiniteQuery(runsQuery(filter));
  if (query.isPending) return <RowsSkeleton rows={3} height={48} />;
  if (query.isError) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  const runs = query.data.pages.flatMap((page) => page.items);
  if (runs.length === 0)
    return (
      <Empty title={filter.state ? "No run in this state" : "No runs yet"}>
        A run builds a version every way its targets can, measures each, and compares them. Start one from the
        page of a version.
      </Empty>
    );
  return (
    <>
      <TableScroll label="Runs">
        <Table miw={720}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Run</Table.Th>
              {columns !== "none" && (
                <Table.Th scope="col">{columns === "model" ? "Model" : "Version"}</Table.Th>
              )}
              <Table.Th scope="col">State</Table.Th>
              <Table.Th scope="col">Objective</Table.Th>
              <Table.Th scope="col">Jobs ended</Table.Th>
              <Table.Th scope="col" className="num">
                Best, against as uploaded
              </Table.Th>
              <Table.Th scope="col" className="num">
                Started
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map((run) => (
              <Row key={run.id} run={run} columns={columns} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      <LoadMore query={query} />
    </>
  );
}
