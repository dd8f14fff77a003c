import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Measurement } from "@/api/types";
import { duration, integer, sentence, sig3 } from "@/shared/format";
import { Badge } from "@/shared/ui/feedback";
import { Section, TableScroll } from "@/shared/ui/layout";
import { MetricInfo } from "@/shared/ui/metric";

const percent = (fraction: number | null): string =>
  fraction === null ? "–" : `${(fraction * 100).toFixed(1)} %`;

interface Column {
  title: string;
  metric?: string;
  cell: (measurement: Measurement) => ReactNode;
}

const COLUMNS: Column[] = [
  { title: "Batch", cell: (m) => m.batch_size },
  { title: "p50 (ms)", metric: "latency_p50_ms", cell: (m) => sig3(m.latency_ms.p50) },
  { title: "p90 (ms)", metric: "latency_p90_ms", cell: (m) => sig3(m.latency_ms.p90) },
  { title: "p95 (ms)", cell: (m) => sig3(m.latency_ms.p95) },
  { title: "p99 (ms)", metric: "latency_p99_ms", cell: (m) => sig3(m.latency_ms.p99) },
  { title: "Items per second", metric: "throughput_per_s", cell: (m) => sig3(m.throughput_per_s) },
  { title: "Samples", cell: (m) => integer(m.samples) },
  { title: "Warm-up", cell: (m) => integer(m.warmup_samples) },
  { title: "Measured for", cell: (m) => duration(m.duration_s) },
  { title: "Threads", cell: (m) => m.threads },
  { title: "Stolen", cell: (m) => percent(m.steal_fraction) },
  { title: "Others busy", cell: (m) => percent(m.busy_others_fraction) },
];

export function Measurements({ measurements }: { measurements: readonly Measurement[] }) {
  return (
    <Section title="Measurements" flush>
      <TableScroll label="Measurements">
        <Table miw={1080}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Scenario</Table.Th>
              {COLUMNS.map((column) => (
                <Table.Th key={column.title} scope="col" className="num">
                  {column.title}
                  {column.metric && <MetricInfo name={column.metric} />}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {measurements.map((m) => (
              <Table.Tr key={`${m.scenario} ${m.batch_size}`}>
                <Table.Th scope="row" style={{ whiteSpace: "normal", minWidth: 220 }}>
                  {sentence(m.scenario)}{" "}
                  <Badge tone={m.status === "valid" ? "good" : "warn"}>{sentence(m.status)}</Badge>
                  {m.status_reason && (
                    <div className="dim" style={{ fontWeight: 400 }}>
                      {m.status_reason}
                    </div>
                  )}
                </Table.Th>
                {COLUMNS.map((column) => (
                  <Table.Td key={column.title} className="num">
                    {column.cell(m)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Section>
  );
}
