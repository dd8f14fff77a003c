import { Table, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { PriceQuery } from "@/api/endpoints";
import { pricesQuery } from "@/api/queries";
import { integer, MISSING, usdPerHour, words } from "@/shared/format";
import { ErrorNote, LoadMore } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { Empty, PageHead, RowsSkeleton, Section, TableScroll } from "@/shared/ui/layout";

const route = getRouteApi("/app/prices");

type Search = { q?: string; provider?: string; region?: string };

function Field(props: { name: keyof Search; label: string; placeholder: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(search[props.name] ?? "");
  const commit = useDebouncedCallback((value: string) => {
    const next: Search = { ...search };
    if (value.trim()) next[props.name] = value.trim();
    else delete next[props.name];
    void navigate({ search: next, replace: true, resetScroll: false });
  }, 250);
  return (
    <TextInput
      type="search"
      label={props.label}
      placeholder={props.placeholder}
      leftSection={props.name === "q" ? <Icon name="search" /> : undefined}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        commit(event.currentTarget.value);
      }}
    />
  );
}

export function PricesPage() {
  const search = route.useSearch();
  const filter: PriceQuery = {
    ...(search.q ? { search: search.q } : {}),
    ...(search.provider ? { provider: search.provider } : {}),
    ...(search.region ? { region: search.region } : {}),
  };
  const query = useInfiniteQuery(pricesQuery(filter));
  const prices = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHead
        title="Prices"
        lede={
          <>
            The price book: published list prices with source, region and date. Put one on a target on the{" "}
            <Link to="/targets">Targets</Link> page.
          </>
        }
      />
      <Section title="Price book" flush>
        <div
          style={{
            display: "grid",
            gap: 12,
            padding: 16,
            gridTemplateColumns: "repeat(auto-fit, minmax(180px, 1fr))",
          }}
        >
          <Field name="q" label="Search" placeholder="c7i, Graviton, H200 …" />
          <Field name="provider" label="Provider" placeholder="any" />
          <Field name="region" label="Region" placeholder="any" />
        </div>
        {query.isError && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <RowsSkeleton rows={8} />}
        {query.isSuccess && prices.length === 0 && <Empty title="No price matches">Try fewer words.</Empty>}
        {prices.length > 0 && (
          <div style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
            <TableScroll label="Prices">
              <Table miw={900}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">Instance</Table.Th>
                    <Table.Th scope="col">Provider</Table.Th>
                    <Table.Th scope="col">Region</Table.Th>
                    <Table.Th scope="col">CPU or accelerator</Table.Th>
                    <Table.Th scope="col" className="num">
                      vCPU
                    </Table.Th>
                    <Table.Th scope="col" className="num">
                      USD/h
                    </Table.Th>
                    <Table.Th scope="col">Kind</Table.Th>
                    <Table.Th scope="col">As of</Table.Th>
                    <Table.Th scope="col">Source</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {prices.map((price) => (
                    <Table.Tr key={price.id}>
                      <Table.Td className="nowrap">{price.instance_type}</Table.Td>
                      <Table.Td>{price.provider}</Table.Td>
                      <Table.Td className="nowrap">{price.region}</Table.Td>
                      <Table.Td>{[price.accelerator, price.cpu].filter(Boolean).join(", ")}</Table.Td>
                      <Table.Td className="num">
                        {price.vcpus === null ? MISSING : integer(price.vcpus)}
                      </Table.Td>
                      <Table.Td className="num">{usdPerHour(price.usd_per_hour).replace("$", "")}</Table.Td>
                      <Table.Td className="nowrap">{words(price.price_kind)}</Table.Td>
                      <Table.Td className="nowrap">{price.as_of}</Table.Td>
                      <Table.Td className="dim">{price.source}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </TableScroll>
            <LoadMore query={query} />
          </div>
        )}
      </Section>
    </>
  );
}
