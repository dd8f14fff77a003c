import { Table } from "@mantine/core";
import type { ModelDescription } from "@/api/types";
import { Section, TableScroll } from "@/shared/ui/layout";

type Tensor = ModelDescription["inputs"][number];

/** Numbers are fixed; a name is an axis whose size is bound when a run is started. */
function Shape({ shape }: { shape: Tensor["shape"] }) {
  if (shape.length === 0) return <>scalar</>;
  return (
    <code>
      [
      {shape.map((dim, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an axis is its position
        <span key={index}>
          {index > 0 && " × "}
          {typeof dim === "number" ? (
            dim
          ) : (
            <em style={{ color: "var(--ws-spark)", fontStyle: "normal" }}>{dim}</em>
          )}
        </span>
      ))}
      ]
    </code>
  );
}

function Rows({ kind, tensors }: { kind: string; tensors: readonly Tensor[] }) {
  return tensors.map((tensor) => (
    <Table.Tr key={`${kind}-${tensor.name}`}>
      <Table.Td>{kind}</Table.Td>
      <Table.Td>
        <code>{tensor.name}</code>
      </Table.Td>
      <Table.Td>{tensor.dtype}</Table.Td>
      <Table.Td>
        <Shape shape={tensor.shape} />
      </Table.Td>
    </Table.Tr>
  ));
}

export function Signature({ description }: { description: ModelDescription }) {
  const dynamic = description.dims.length > 0;
  return (
    <Section
      title="Inputs and outputs"
      aside={
        dynamic && (
          <span className="dim" style={{ fontSize: "0.84rem" }}>
            <span style={{ color: "var(--ws-spark)" }}>named axes</span> are bound when a run starts
          </span>
        )
      }
      flush
    >
      <TableScroll label="Inputs and outputs">
        <Table miw={420}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Side</Table.Th>
              <Table.Th scope="col">Name</Table.Th>
              <Table.Th scope="col">Type</Table.Th>
              <Table.Th scope="col">Shape</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Rows kind="Input" tensors={description.inputs} />
            <Rows kind="Output" tensors={description.outputs} />
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Section>
  );
}
