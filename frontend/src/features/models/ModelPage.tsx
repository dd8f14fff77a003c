import { Button, Group, Modal, Table, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import * as api from "@/api/endpoints";
import { isStatus } from "@/api/problem";
import { modelQuery, modelVersionsQuery } from "@/api/queries";
import type { Model } from "@/api/types";
import { bytes } from "@/shared/format";
import { Ago, ConfirmButton, ErrorNote, StateBadge } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { Empty, PageHead, PageSkeleton, RowsSkeleton, Section, TableScroll } from "@/shared/ui/layout";

function RenameButton({ model }: { model: Model }) {
  const [opened, { open, close }] = useDisclosure();
  const [name, setName] = useState(model.name);
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => api.modelRename(model.id, name.trim()),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["model", model.id] }),
        client.invalidateQueries({ queryKey: ["models"] }),
      ]);
      close();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="edit" />}
        onClick={() => {
          setName(model.name);
          mutation.reset();
          open();
        }}
      >
        Rename
      </Button>
      <Modal opened={opened} onClose={close} title="Rename the model">
        <form onSubmit={onSubmit}>
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          {mutation.isError && <ErrorNote error={mutation.error} />}
          <Group justify="flex-end" mt={16}>
            <Button variant="default" onClick={close}>
              Keep
            </Button>
            <Button type="submit" disabled={!name.trim()} loading={mutation.isPending}>
              Rename
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  );
}

function DeleteButton({ model }: { model: Model }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${model.name}?`}
      confirm="Delete the model"
      action={async () => {
        await api.modelDelete(model.id);
        await navigate({ to: "/models" });
        client.removeQueries({ queryKey: ["model", model.id] });
        await client.invalidateQueries({ queryKey: ["models"] });
      }}
    >
      Its versions, runs, results and files go with it. This cannot be undone.
    </ConfirmButton>
  );
}

function Versions({ modelId }: { modelId: string }) {
  const query = useQuery(modelVersionsQuery(modelId));
  if (query.isError) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Section title="Versions" flush>
      {query.isPending ? (
        <RowsSkeleton rows={2} />
      ) : query.data.items.length === 0 ? (
        <Empty title="No version yet">Upload a file to make the first.</Empty>
      ) : (
        <TableScroll label="Versions">
          <Table miw={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Version</Table.Th>
                <Table.Th scope="col">State</Table.Th>
                <Table.Th scope="col">File</Table.Th>
                <Table.Th scope="col">Format</Table.Th>
                <Table.Th scope="col" className="num">
                  Size
                </Table.Th>
                <Table.Th scope="col" className="num">
                  Uploaded
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {query.data.items.map((version) => (
                <Table.Tr key={version.id}>
                  <Table.Td>
                    <Link
                      to="/versions/$versionId"
                      params={{ versionId: version.id }}
                      style={{ fontWeight: 550 }}
                    >
                      Version {version.number}
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <StateBadge state={version.state} />
                  </Table.Td>
                  <Table.Td>{version.filename}</Table.Td>
                  <Table.Td>{version.format ?? <span className="dim">unknown</span>}</Table.Td>
                  <Table.Td className="num">{bytes(version.size_bytes)}</Table.Td>
                  <Table.Td className="num">
                    <Ago at={version.created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </Section>
  );
}

interface ModelPageProps {
  modelId: string;
  runs: ReactNode;
  uploads: ReactNode;
  upload: (modelName: string) => ReactNode;
  dropArea: (modelName: string, children: ReactNode) => ReactNode;
}

export function ModelPage({ modelId, runs, uploads, upload, dropArea }: ModelPageProps) {
  const query = useQuery(modelQuery(modelId));
  if (query.isPending) return <PageSkeleton />;
  if (query.isError) {
    if (isStatus(query.error, 404)) throw query.error;
    return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  }
  const model = query.data;
  return dropArea(
    model.name,
    <>
      <PageHead
        title={model.name}
        crumbs={[
          <Link key="models" to="/models">
            Models
          </Link>,
        ]}
        actions={
          <>
            <RenameButton model={model} />
            <DeleteButton model={model} />
            {upload(model.name)}
          </>
        }
      />
      {uploads}
      <Versions modelId={modelId} />
      <Section title="Runs" flush>
        {runs}
      </Section>
    </>,
  );
}
