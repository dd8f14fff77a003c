import { Button, Checkbox, Menu, Select, Skeleton, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { comparisonCsvUrl, comparisonJsonUrl } from "@/api/endpoints";
import { comparisonQuery, RUN_OPEN, runQuery } from "@/api/queries";
import type { Candidate, Comparison } from "@/api/types";
import { sentence } from "@/shared/format";
import type { ComparisonSearch } from "@/shared/search/comparison";
import { ErrorNote, Note } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { Empty, RowsSkeleton, Section } from "@/shared/ui/layout";
import { useMetrics } from "@/shared/ui/metric";
import styles from "./comparison.module.css";
import { scatterPoints } from "./points";
import { ResultTable } from "./ResultTable";
import {
  allColumns,
  type Column,
  chosenColumns,
  differingColumns,
  filteredRows,
  parseSort,
  sortedRows,
} from "./table";

const Scatter = lazy(() => import("./Scatter"));
const route = getRouteApi("/app/runs/$runId/comparison");

type Change = (patch: { [K in keyof ComparisonSearch]: ComparisonSearch[K] | undefined }) => void;

interface Option {
  value: string;
  label: string;
}

const options = (candidates: readonly Candidate[], of: (candidate: Candidate) => Option): Option[] => [
  ...new Map(candidates.map((candidate) => [of(candidate).value, of(candidate)])).values(),
];

function Filter(props: {
  label: string;
  any: string;
  data: Option[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  if (props.data.length < 2 && !props.value) return null;
  return (
    <Select
      data-narrow
      aria-label={props.label}
      placeholder={props.any}
      clearable
      clearButtonProps={{ "aria-label": props.any }}
      data={props.data}
      value={props.value ?? null}
      onChange={(value) => props.onChange(value ?? undefined)}
    />
  );
}

function ColumnChooser({
  columns,
  shown,
  change,
}: {
  columns: readonly Column[];
  shown: readonly Column[];
  change: Change;
}) {
  const keys = new Set(shown.map((column) => column.key));
  const toggle = (key: string, on: boolean) => {
    const next = columns.map((column) => column.key).filter((item) => (item === key ? on : keys.has(item)));
    change({ cols: next.join(",") });
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="columns" />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
        {columns
          .filter((column) => column.key !== "recipe")
          .map((column) => (
            <Menu.Item
              key={column.key}
              role="menuitemcheckbox"
              aria-checked={keys.has(column.key)}
              onClick={() => toggle(column.key, !keys.has(column.key))}
            >
              <Checkbox
                checked={keys.has(column.key)}
                readOnly
                tabIndex={-1}
                aria-hidden="true"
                size="xs"
                label={column.unit ? `${column.title} (${column.unit})` : column.title}
                styles={{ body: { pointerEvents: "none" } }}
              />
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item onClick={() => change({ cols: undefined })}>The usual columns</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Tools(props: {
  comparison: Comparison;
  search: ComparisonSearch;
  change: Change;
  columns: Column[];
  shown: Column[];
}) {
  const { comparison, search, change } = props;
  const { candidates } = comparison;
  return (
    <div className={styles.tools}>
      <TextInput
        type="search"
        aria-label="Filter by text"
        placeholder="Filter: openvino int8 …"
        leftSection={<Icon name="search" />}
        value={search.q ?? ""}
        onChange={(event) => change({ q: event.currentTarget.value || undefined })}
      />
      <Filter
        label="Target"
        any="Any target"
        data={options(candidates, (c) => ({ value: c.target.slug, label: c.target.name }))}
        value={search.target}
        onChange={(target) => change({ target })}
      />
      <Filter
        label="Backend"
        any="Any backend"
        data={options(candidates, (c) => ({ value: c.backend, label: c.backend }))}
        value={search.backend}
        onChange={(backend) => change({ backend })}
      />
      <Filter
        label="State"
        any="Any state"
        data={options(candidates, (c) => ({ value: c.state, label: sentence(c.state) }))}
        value={search.state}
        onChange={(state) => change({ state })}
      />
      <Switch
        label="Differences only"
        checked={search.diff === true}
        onChange={(event) => change({ diff: event.currentTarget.checked ? true : undefined })}
        my={7}
      />
      <div style={{ display: "flex", gap: 8, marginLeft: "auto", flexWrap: "wrap" }}>
        <ColumnChooser columns={props.columns} shown={props.shown} change={change} />
        <Button
          variant="default"
          component="a"
          href={comparisonCsvUrl(comparison.run_id)}
          download={`${comparison.run_id}.csv`}
          leftSection={<Icon name="download" />}
        >
          CSV
        </Button>
        <Button
          variant="default"
          component="a"
          href={comparisonJsonUrl(comparison.run_id)}
          download={`${comparison.run_id}.json`}
          leftSection={<Icon name="download" />}
        >
          JSON
        </Button>
      </div>
    </div>
  );
}

function NotCompared({ comparison }: { comparison: Comparison }) {
  const label = new Map(
    comparison.candidates.map((c) => [c.job_id, `${c.recipe_label} on ${c.target.name}`]),
  );
  return comparison.not_compared.map((group) => (
    <div key={group.reason} style={{ marginBottom: 16 }}>
      <Note tone="warning">
        <p>
          <strong>Not compared:</strong> {group.reason}
        </p>
        <p>{group.job_ids.map((id) => label.get(id) ?? id).join("; ")}</p>
      </Note>
    </div>
  ));
}

function Chart({ comparison }: { comparison: Comparison }) {
  const byCost = comparison.pareto.x.startsWith("usd");
  const points = scatterPoints(comparison);
  const prices = comparison.candidates.map((candidate) => candidate.price);
  return (
    <Section
      title={byCost ? "Latency against cost" : "Latency against throughput"}
      aside={
        <span className="dim" style={{ fontSize: "0.84rem" }}>
          {byCost
            ? prices.some((price) => price?.kind === "stand_in") &&
              "Costs from stand-in prices, not from a bill"
            : "No price is set, so there is no cost to show. "}
          {!byCost && <Link to="/targets">Set one</Link>}
        </span>
      }
    >
      {points.length === 0 ? (
        <Empty title="Nothing to draw yet">Points appear as jobs end.</Empty>
      ) : (
        <Suspense fallback={<Skeleton className={styles.chart} radius={2} />}>
          <Scatter comparison={comparison} />
        </Suspense>
      )}
    </Section>
  );
}

function View({ comparison }: { comparison: Comparison }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const metric = useMetrics();
  const columns = useMemo(() => allColumns(comparison, metric), [comparison, metric]);
  const change: Change = (patch) =>
    void navigate({
      search: (previous) =>
        Object.fromEntries(
          Object.entries({ ...previous, ...patch }).filter(([, value]) => value !== undefined),
        ),
      replace: true,
      resetScroll: false,
    });
  const sort = parseSort(search.sort, comparison.objective);
  const rows = sortedRows(filteredRows(comparison.candidates, search), columns, sort);
  const chosen = chosenColumns(columns, search.cols);
  const shown = search.diff ? differingColumns(chosen, rows) : chosen;
  return (
    <>
      <Section
        title="Recipes and targets"
        aside={
          <span className="dim tnum" style={{ fontSize: "0.84rem" }} aria-live="polite">
            {rows.length} of {comparison.candidates.length} shown
            {shown.length < chosen.length && `, ${chosen.length - shown.length} equal columns hidden`}
          </span>
        }
        flush
      >
        <Tools comparison={comparison} search={search} change={change} columns={columns} shown={chosen} />
        {rows.length === 0 ? (
          <Empty
            title="No result matches"
            action={
              <Button
                variant="default"
                onClick={() =>
                  change({ q: undefined, target: undefined, backend: undefined, state: undefined })
                }
              >
                Clear the filters
              </Button>
            }
          >
            {comparison.candidates.length === 0
              ? "Results appear as jobs end."
              : "Loosen the filters to see more."}
          </Empty>
        ) : (
          <ResultTable
            comparison={comparison}
            columns={shown}
            rows={rows}
            sort={sort}
            onSort={(next) => change({ sort: next })}
          />
        )}
      </Section>
      <NotCompared comparison={comparison} />
      <Chart comparison={comparison} />
    </>
  );
}

export function ComparisonPage() {
  const { runId } = route.useParams();
  const run = useQuery(runQuery(runId));
  const open = run.data !== undefined && RUN_OPEN.has(run.data.state);
  const query = useQuery(comparisonQuery(runId, open));
  if (query.isPending)
    return (
      <Section title="Recipes and targets" flush>
        <RowsSkeleton rows={8} height={52} />
      </Section>
    );
  if (query.isError) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      {open && (
        <div style={{ marginBottom: 16 }}>
          <Note tone="info">
            This run is not over: figures appear as its jobs end, and the winner may change.
          </Note>
        </div>
      )}
      {!open && run.data?.summary?.headline && <p style={{ marginTop: 0 }}>{run.data.summary.headline}</p>}
      <View comparison={query.data} />
    </>
  );
}
