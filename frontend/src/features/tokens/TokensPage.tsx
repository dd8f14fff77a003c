import { Button, Select, Table, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import * as api from "@/api/endpoints";
import { tokensQuery } from "@/api/queries";
import type { Token } from "@/api/types";
import { Ago, ConfirmButton, ErrorNote, Note, Snippet } from "@/shared/ui/feedback";
import { Empty, PageHead, RowsSkeleton, Section, TableScroll } from "@/shared/ui/layout";

const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "", label: "No end" },
];

function Fresh({ token }: { token: Token }) {
  const text = token.token ?? "";
  return (
    <div role="status" style={{ marginBottom: 16 }}>
      <Note tone="good">
        <p>
          <strong>Copy the token “{token.name}” now: it is shown this once.</strong>
        </p>
        <div style={{ margin: "10px 0" }}>
          <Snippet text={text} label="token" />
        </div>
        <Snippet
          text={`curl -H "Authorization: Bearer ${text}" ${window.location.origin}/api/v1/models`}
          label="example with this token"
        />
      </Note>
    </div>
  );
}

function Create({ onMade }: { onMade: (token: Token) => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => api.tokenCreate(name.trim(), days ? Number(days) : null),
    onSuccess: async (token) => {
      onMade(token);
      setName("");
      await client.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) mutation.mutate();
  };
  return (
    <Section title="New token">
      <form
        onSubmit={onSubmit}
        style={{ display: "flex", gap: 12, flexWrap: "wrap", alignItems: "flex-end" }}
      >
        <TextInput
          label="Name"
          placeholder="ci"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          style={{ flex: "1 1 220px", maxWidth: 340 }}
        />
        <Select
          label="Valid for"
          allowDeselect={false}
          data={LIFETIMES}
          value={days}
          onChange={(value) => setDays(value ?? "")}
          w={140}
        />
        <Button type="submit" loading={mutation.isPending} disabled={!name.trim()}>
          Make a token
        </Button>
      </form>
      {mutation.isError && (
        <div style={{ marginTop: 12 }}>
          <ErrorNote error={mutation.error} />
        </div>
      )}
    </Section>
  );
}

export function TokensPage() {
  const query = useQuery(tokensQuery);
  const client = useQueryClient();
  const [fresh, setFresh] = useState<Token | null>(null);
  return (
    <>
      <PageHead
        title="Tokens"
        lede={
          <>
            For curl and CI: everything this page does is in the <a href="/api/v1/docs">API</a>. A token acts
            as you in this workspace.
          </>
        }
      />
      {fresh && <Fresh token={fresh} />}
      <Create onMade={setFresh} />
      <Section title="Your tokens" flush>
        {query.isPending && <RowsSkeleton rows={2} />}
        {query.isError && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.items.length === 0 && (
          <Empty title="No token yet">Make one above, and put it where your scripts find it.</Empty>
        )}
        {query.data && query.data.items.length > 0 && (
          <TableScroll label="Tokens">
            <Table miw={640}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Name</Table.Th>
                  <Table.Th scope="col">Begins with</Table.Th>
                  <Table.Th scope="col">Made</Table.Th>
                  <Table.Th scope="col">Last used</Table.Th>
                  <Table.Th scope="col">Ends</Table.Th>
                  <Table.Th scope="col">
                    <span className="sr-only">Revoke</span>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {query.data.items.map((token) => (
                  <Table.Tr key={token.id}>
                    <Table.Td>{token.name}</Table.Td>
                    <Table.Td>
                      <code>{token.prefix}…</code>
                    </Table.Td>
                    <Table.Td>
                      <Ago at={token.created_at} />
                    </Table.Td>
                    <Table.Td>
                      <Ago at={token.last_used_at} />
                    </Table.Td>
                    <Table.Td>
                      <Ago at={token.expires_at} empty="no end" />
                    </Table.Td>
                    <Table.Td style={{ textAlign: "right" }}>
                      <ConfirmButton
                        size="xs"
                        label={
                          <>
                            Revoke<span className="sr-only"> {token.name}</span>
                          </>
                        }
                        title={`Revoke ${token.name}?`}
                        confirm="Revoke the token"
                        action={async () => {
                          await api.tokenRevoke(token.id);
                          setFresh((shown) => (shown?.id === token.id ? null : shown));
                          await client.invalidateQueries({ queryKey: ["tokens"] });
                        }}
                      >
                        Whatever uses it is refused from now on.
                      </ConfirmButton>
                    </Table.Td>
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
