import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { metricsQuery } from "@/api/queries";
import { ErrorNote } from "@/shared/ui/feedback";
import { PageHead, RowsSkeleton, Section, TableScroll } from "@/shared/ui/layout";

const BETTER = { lower: "lower", higher: "higher", none: "–" };

export function MetricsHelpPage() {
  const query = useQuery(metricsQuery);
  return (
    <>
      <PageHead
        title="What the figures mean"
        lede="One definition each, the same in the page, the API and the mail. A percentile is shown only with enough samples: p90 needs 64, p95 130, p99 662."
      />
      {query.isError && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      <Section title="Metrics" flush>
        {query.isPending && <RowsSkeleton rows={10} />}
        {query.data && (
          <TableScroll label="Metrics">
            <Table miw={820}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Metric</Table.Th>
                  <Table.Th scope="col">Unit</Table.Th>
                  <Table.Th scope="col">Better</Table.Th>
                  <Table.Th scope="col">Formula</Table.Th>
                  <Table.Th scope="col">Meaning</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {query.data.items.map((metric) => (
                  <Table.Tr key={metric.name} id={metric.name}>
                    <Table.Th
                      scope="row"
                      style={{ color: "inherit", fontSize: "inherit", verticalAlign: "top" }}
                    >
                      {metric.title}
                      <div className="dim" style={{ fontWeight: 400 }}>
                        <code>{metric.name}</code>
                      </div>
                    </Table.Th>
                    <Table.Td>{metric.unit || "–"}</Table.Td>
                    <Table.Td>{BETTER[metric.direction]}</Table.Td>
                    <Table.Td>
                      <code>{metric.formula}</code>
                    </Table.Td>
                    <Table.Td>{metric.description}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        )}
      </Section>
    </>
  );
}
