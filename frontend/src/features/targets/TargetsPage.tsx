import { Button, Group, Table } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as api from "@/api/endpoints";
import { hostsQuery, targetsQuery } from "@/api/queries";
import type { Host, Target } from "@/api/types";
import { bytes, usdPerHour } from "@/shared/format";
import { Ago, Badge, ErrorNote } from "@/shared/ui/feedback";
import { Empty, Facts, PageHead, PageSkeleton, Section, TableScroll } from "@/shared/ui/layout";
import { PriceDialog } from "./PriceDialog";
import styles from "./targets.module.css";

function PriceText({ target }: { target: Target }) {
  const { price } = target;
  if (!price) return <span className="dim">no price</span>;
  const source =
    price.kind === "list"
      ? [price.provider, price.instance_type, price.region, price.as_of].filter(Boolean).join(", ")
      : [price.note || (price.kind === "manual" ? "set by hand" : ""), price.as_of]
          .filter(Boolean)
          .join(", ");
  return (
    <>
      <span className="tnum">{usdPerHour(price.usd_per_hour)}/h</span>{" "}
      {price.kind === "stand_in" && <Badge tone="warn">stand-in</Badge>}
      <div className="dim" style={{ fontSize: "0.8rem" }}>
        {source}
      </div>
    </>
  );
}

function TargetRow({ target, edit }: { target: Target; edit: (target: Target) => void }) {
  const client = useQueryClient();
  const clear = useMutation({
    mutationFn: () => api.targetPriceClear(target.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["targets"] }),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <strong style={{ fontWeight: 550 }}>{target.name}</strong>
        <div className="dim" style={{ fontSize: "0.8rem" }}>
          <code>{target.slug}</code>
        </div>
      </Table.Td>
      <Table.Td>
        {target.online && target.state === "active" ? (
          <Badge tone="good" dot>
            Online
          </Badge>
        ) : (
          <Badge tone="quiet">{target.online ? target.state : "offline"}</Badge>
        )}
      </Table.Td>
      <Table.Td className="nowrap">
        {target.device},{" "}
        {target.cores.length === 1 ? `core ${target.cores[0]}` : `${target.cores.length} cores`}
      </Table.Td>
      <Table.Td className="num">
        {target.running_jobs} / {target.queued_jobs}
      </Table.Td>
      <Table.Td>
        <PriceText target={target} />
        {clear.isError && <ErrorNote error={clear.error} />}
      </Table.Td>
      <Table.Td>
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <Button variant="default" size="xs" onClick={() => edit(target)}>
            {target.price ? "Change" : "Set"} price<span className="sr-only"> of {target.name}</span>
          </Button>
          {target.price && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              loading={clear.isPending}
              onClick={() => clear.mutate()}
            >
              Clear<span className="sr-only"> the price of {target.name}</span>
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Fingerprint({ host }: { host: Host }) {
  const { fingerprint } = host;
  if (!fingerprint) return null;
  const libraries = Object.entries(fingerprint.libraries).sort(([a], [b]) => a.localeCompare(b));
  return (
    <details className={styles.fold}>
      <summary>
        Fingerprint <code>{host.fingerprint_hash}</code>: figures are compared only where it is the same
      </summary>
      <div className={styles.more}>
        <div>
          <div className="label">System</div>
          <dl>
            <dt>Kernel</dt>
            <dd>{fingerprint.kernel}</dd>
            <dt>System</dt>
            <dd>{fingerprint.operating_system}</dd>
            <dt>Python</dt>
            <dd>{fingerprint.python}</dd>
            <dt>Sandbox</dt>
            <dd>{host.isolation}</dd>
            <dt>Runner</dt>
            <dd>{host.runner_version}</dd>
          </dl>
        </div>
        <div>
          <div className="label">Libraries</div>
          <dl>
            {libraries.map(([name, version]) => (
              <div key={name} style={{ display: "contents" }}>
                <dt>{name}</dt>
                <dd>{version}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div>
          <div className="label">CPU flags</div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by keyboard too */}
          <section className={`${styles.flags} mono`} tabIndex={0} aria-label="CPU flags">
            {fingerprint.cpu_flags.join(" ")}
          </section>
        </div>
      </div>
    </details>
  );
}

function Machine({ fingerprint }: { fingerprint: NonNullable<Host["fingerprint"]> }) {
  return (
    <div className={styles.facts}>
      <Facts
        items={[
          {
            key: "cpu",
            label: "CPU",
            value: <small style={{ fontSize: "0.94rem", color: "inherit" }}>{fingerprint.cpu_model}</small>,
          },
          {
            key: "cores",
            label: "Cores",
            value: (
              <>
                {fingerprint.physical_cores} <small>physical, {fingerprint.logical_cores} logical</small>
              </>
            ),
          },
          { key: "memory", label: "Memory", value: bytes(fingerprint.memory_bytes) },
          { key: "arch", label: "Architecture", value: fingerprint.architecture },
        ]}
      />
    </div>
  );
}

function HostSection({
  host,
  targets,
  edit,
}: {
  host: Host;
  targets: Target[];
  edit: (target: Target) => void;
}) {
  const { fingerprint } = host;
  return (
    <Section
      title={host.name}
      aside={
        <span className="dim" style={{ fontSize: "0.84rem" }}>
          {host.state}, last seen <Ago at={host.last_seen_at} />
        </span>
      }
      flush
    >
      {fingerprint ? (
        <Machine fingerprint={fingerprint} />
      ) : (
        <p className={styles.facts}>Its runner has not registered yet.</p>
      )}
      <TableScroll label={`Targets of ${host.name}`}>
        <Table miw={820}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Target</Table.Th>
              <Table.Th scope="col">State</Table.Th>
              <Table.Th scope="col">Share</Table.Th>
              <Table.Th scope="col" className="num">
                Running / waiting
              </Table.Th>
              <Table.Th scope="col">Price</Table.Th>
              <Table.Th scope="col">
                <span className="sr-only">Change the price</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {targets.map((target) => (
              <TargetRow key={target.id} target={target} edit={edit} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      <Fingerprint host={host} />
    </Section>
  );
}

export function TargetsPage() {
  const hosts = useQuery(hostsQuery);
  const targets = useQuery(targetsQuery);
  const [editing, setEditing] = useState<Target | null>(null);
  if (hosts.isPending || targets.isPending) return <PageSkeleton />;
  const broken = hosts.isError ? hosts : targets.isError ? targets : null;
  return (
    <>
      <PageHead
        title="Targets"
        lede="Where results are valid: a machine, or some of its cores. A price on a target gives every result a cost."
      />
      {broken && <ErrorNote error={broken.error} onRetry={() => void broken.refetch()} />}
      {hosts.data?.items.length === 0 && (
        <Section title="No machine yet">
          <Empty title="No machine has registered">
            Start a runner on a machine; it registers itself with its fingerprint and offers its targets here.
          </Empty>
        </Section>
      )}
      {hosts.data?.items.map((host) => (
        <HostSection
          key={host.id}
          host={host}
          targets={(targets.data?.items ?? []).filter((target) => target.host.id === host.id)}
          edit={setEditing}
        />
      ))}
      <PriceDialog target={editing} close={() => setEditing(null)} />
    </>
  );
}
