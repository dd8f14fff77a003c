import { Table } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { modelsQuery } from "@/api/queries";
import type { Model } from "@/api/types";
import { bytes, count, integer } from "@/shared/format";
import { Ago, ErrorNote, LoadMore, Snippet, StateBadge } from "@/shared/ui/feedback";
import { Empty, PageHead, RowsSkeleton, Section, TableScroll } from "@/shared/ui/layout";

const sample =
  () => `export WHETSTONE=${window.location.origin}/api/v1 TOKEN=whst_...   # from the Tokens page
curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" $WHETSTONE/uploads \\
  -d "{\\"filename\\":\\"model.onnx\\",\\"size_bytes\\":$(stat -c %s model.onnx),\\"sha256\\":\\"$(sha256sum model.onnx | cut -c1-64)\\"}"`;

function FirstUse({ upload }: { upload: ReactNode }) {
  return (
    <Section title="Start here">
      <Empty title="Upload your first model" action={upload}>
        An ONNX file, or a zip with its external data. Drop it anywhere on this page. It is read in a sandbox;
        then you see its inputs, operators and size, and can measure it on every target with one button.
      </Empty>
      <div style={{ maxWidth: 860, margin: "0 auto" }}>
        <div className="label" style={{ marginBottom: 6 }}>
          Or from a shell
        </div>
        <Snippet text={sample()} label="command that begins an upload" />
        <p className="dim">
          The <a href="/api/v1/docs">API documentation</a> goes on from here.
        </p>
      </div>
    </Section>
  );
}

function Row({ model }: { model: Model }) {
  const latest = model.latest_version;
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/models/$modelId" params={{ modelId: model.id }} style={{ fontWeight: 550 }}>
          {model.name}
        </Link>
      </Table.Td>
      <Table.Td className="nowrap">
        {latest ? (
          <Link to="/versions/$versionId" params={{ versionId: latest.id }}>
            Version {latest.number}
          </Link>
        ) : (
          <span className="dim">no version</span>
        )}
      </Table.Td>
      <Table.Td>{latest && <StateBadge state={latest.state} />}</Table.Td>
      <Table.Td className="num">{latest ? bytes(latest.size_bytes) : ""}</Table.Td>
      <Table.Td className="num">{latest?.description ? count(latest.description.parameters) : ""}</Table.Td>
      <Table.Td className="num">{integer(model.version_count)}</Table.Td>
      <Table.Td className="num">{integer(model.run_count)}</Table.Td>
      <Table.Td className="num">
        <Ago at={latest?.created_at ?? model.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

export function ModelsPage({ upload, uploads }: { upload: ReactNode; uploads: ReactNode }) {
  const query = useInfiniteQuery(modelsQuery);
  const models = query.data?.pages.flatMap((page) => page.items) ?? [];
  const none = query.isSuccess && models.length === 0;
  return (
    <>
      <PageHead
        title="Models"
        lede="Drop a file anywhere on this page to upload it."
        actions={none ? undefined : upload}
      />
      {uploads}
      {query.isError && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      {none && <FirstUse upload={upload} />}
      {query.isPending && (
        <Section title="All models" flush>
          <RowsSkeleton rows={5} />
        </Section>
      )}
      {models.length > 0 && (
        <Section title="All models" flush>
          <TableScroll label="Models">
            <Table miw={780}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Model</Table.Th>
                  <Table.Th scope="col">Latest</Table.Th>
                  <Table.Th scope="col">State</Table.Th>
                  <Table.Th scope="col" className="num">
                    Size
                  </Table.Th>
                  <Table.Th scope="col" className="num">
                    Parameters
                  </Table.Th>
                  <Table.Th scope="col" className="num">
                    Versions
                  </Table.Th>
                  <Table.Th scope="col" className="num">
                    Runs
                  </Table.Th>
                  <Table.Th scope="col" className="num">
                    Uploaded
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {models.map((model) => (
                  <Row key={model.id} model={model} />
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
          <LoadMore query={query} />
        </Section>
      )}
    </>
  );
}
