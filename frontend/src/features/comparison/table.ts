/** The comparison as a table: which columns, in what order, which rows. Pure, so that it can be tested. */
import type { Candidate, Comparison, Metric } from "@/api/types";
import { columnUnit, MISSING, metricValue, sentence } from "@/shared/format";
import type { ComparisonSearch } from "@/shared/search/comparison";

export interface Column {
  key: string;
  title: string;
  unit: string;
  metric: Metric | null;
  /** What the column sorts by; null sorts last, whichever way. */
  value: (candidate: Candidate) => number | string | null;
  /** What a reader sees, and what "differences only" compares. */
  text: (candidate: Candidate) => string;
}

/** Shown until the reader chooses; the rest waits in the column chooser. */
const USUAL = new Set([
  "recipe",
  "target",
  "precision",
  "latency_p50_ms",
  "latency_p90_ms",
  "latency_p99_ms",
  "throughput_per_s",
  "usd_per_million",
  "inferences_per_usd",
  "peak_memory_bytes",
  "artifact_size_bytes",
  "load_ms",
  "quality",
]);

const VERDICTS: Record<string, string> = {
  pass: "same answers",
  differs: "differs",
  fail: "wrong answers",
  not_comparable: "not comparable",
};

export function qualityText(candidate: Candidate): string {
  const { quality } = candidate;
  return quality ? (VERDICTS[quality.verdict] ?? sentence(quality.verdict)) : MISSING;
}

const textColumn = (key: string, title: string, text: (candidate: Candidate) => string): Column => ({
  key,
  title,
  unit: "",
  metric: null,
  value: (candidate) => (text(candidate) === MISSING ? null : text(candidate).toLowerCase()),
  text,
});

export function allColumns(comparison: Comparison, metric: (name: string) => Metric): Column[] {
  const metrics = comparison.metrics.map((name): Column => {
    const definition = metric(name);
    return {
      key: name,
      title: definition.title,
      unit: columnUnit(definition.unit),
      metric: definition,
      value: (candidate) => candidate.values[name] ?? null,
      text: (candidate) => metricValue(candidate.values[name], definition.unit),
    };
  });
  return [
    textColumn("recipe", "Recipe", (c) => c.recipe_label),
    textColumn("target", "Target", (c) => c.target.name),
    textColumn("backend", "Backend", (c) => c.backend),
    textColumn("state", "State", (c) => sentence(c.state)),
    textColumn("precision", "Precision", (c) => c.precision_effective ?? MISSING),
    ...metrics,
    textColumn("quality", "Answers", qualityText),
  ];
}

/** `cols` in the address, else the usual ones. The recipe always stays: it says what a row is. */
export function chosenColumns(columns: readonly Column[], cols: string | undefined): Column[] {
  const chosen = cols === undefined ? USUAL : new Set(cols.split(","));
  return columns.filter((column) => column.key === "recipe" || chosen.has(column.key));
}

/** Without the columns in which all rows read the same. With one row there is nothing to tell apart. */
export function differingColumns(columns: readonly Column[], rows: readonly Candidate[]): Column[] {
  if (rows.length < 2) return [...columns];
  return columns.filter((column) => column.key === "recipe" || new Set(rows.map(column.text)).size > 1);
}

export function filteredRows(candidates: readonly Candidate[], search: ComparisonSearch): Candidate[] {
  const words = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return candidates.filter((candidate) => {
    if (search.target && candidate.target.slug !== search.target) return false;
    if (search.backend && candidate.backend !== search.backend) return false;
    if (search.state && candidate.state !== search.state) return false;
    const haystack = [
      candidate.recipe_label,
      candidate.recipe_id,
      candidate.target.name,
      candidate.target.slug,
      candidate.backend,
      candidate.precision_effective,
      candidate.failure?.code,
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

export interface Sort {
  key: string;
  descending: boolean;
}

const OBJECTIVE_SORT: Record<string, string> = {
  latency: "latency_p50_ms",
  throughput: "-throughput_per_s",
  cost: "usd_per_million",
};

export function parseSort(sort: string | undefined, objective: string): Sort {
  const text = sort ?? OBJECTIVE_SORT[objective] ?? "latency_p50_ms";
  return text.startsWith("-") ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

/** The first press sorts the better way up, the second turns it round. */
export function nextSort(current: Sort, column: Column): string {
  const betterFirst = column.metric?.direction === "higher";
  const descending = current.key === column.key ? !current.descending : betterFirst;
  return descending ? `-${column.key}` : column.key;
}

export function sortedRows(rows: readonly Candidate[], columns: readonly Column[], sort: Sort): Candidate[] {
  const column = columns.find((item) => item.key === sort.key);
  if (!column) return [...rows];
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = column.value(a);
    const right = column.value(b);
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * String(left).localeCompare(String(right));
  });
}
