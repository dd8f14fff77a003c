import { describe, expect, it } from "vitest";
import type { Candidate, Comparison, Metric } from "@/api/types";
import { frontPoints, scatterPoints } from "./points";
import { allColumns, chosenColumns, differingColumns, filteredRows, parseSort, sortedRows } from "./table";

function candidate(id: string, p50: number | null, more: Partial<Candidate> = {}): Candidate {
  return {
    job_id: id,
    target: { id: "tgt_1", slug: "laptop", name: "Laptop" },
    recipe_label: id,
    recipe_id: id,
    recipe_fingerprint: id,
    backend: "onnxruntime",
    is_baseline: false,
    state: "succeeded",
    failure: null,
    precision_requested: "fp32",
    precision_effective: "fp32",
    device_effective: "cpu",
    status: "valid",
    values: { latency_p50_ms: p50, usd_per_million: p50 },
    missing: {},
    versus_baseline: {},
    speedup: null,
    quality: null,
    price: null,
    recommended: true,
    not_recommended_because: null,
    on_pareto: false,
    artifact: null,
    fingerprint_hash: "",
    samples: null,
    ...more,
  };
}

const rows = [candidate("slow", 9), candidate("absent", null), candidate("fast", 2), candidate("middle", 5)];
const comparison: Comparison = {
  run_id: "run_1",
  objective: "latency",
  sla_p99_ms: null,
  metrics: ["latency_p50_ms"],
  candidates: rows,
  pareto: { x: "usd_per_million", y: "latency_p50_ms", job_ids: ["middle", "fast"], axis_note: "" },
  winner_job_id: "fast",
  not_compared: [],
};
const metric = (name: string): Metric => ({
  name,
  title: name,
  unit: "ms",
  direction: "lower",
  formula: "",
  description: "",
});
const columns = allColumns(comparison, metric);
const ids = (list: readonly Candidate[]) => list.map((row) => row.job_id);

describe("sorting", () => {
  it("puts a figure that is missing last, whichever way the column is sorted", () => {
    const up = sortedRows(rows, columns, parseSort("latency_p50_ms", "latency"));
    const down = sortedRows(rows, columns, parseSort("-latency_p50_ms", "latency"));
    expect(ids(up)).toEqual(["fast", "middle", "slow", "absent"]);
    expect(ids(down)).toEqual(["slow", "middle", "fast", "absent"]);
  });

  it("starts from the objective of the run, best first", () => {
    expect(parseSort(undefined, "throughput")).toEqual({ key: "throughput_per_s", descending: true });
    expect(parseSort(undefined, "cost")).toEqual({ key: "usd_per_million", descending: false });
  });

  it("leaves the order alone for a column that an address made up", () => {
    expect(ids(sortedRows(rows, columns, parseSort("nonsense", "latency")))).toEqual(ids(rows));
  });
});

describe("filtering", () => {
  const mixed = [
    candidate("ort-int8", 1, { precision_effective: "int8" }),
    candidate("openvino-int8", 1, { backend: "openvino", precision_effective: "int8" }),
    candidate("openvino-f32", 1, { backend: "openvino", state: "failed" }),
  ];

  it("keeps the rows in which every word occurs, in any order and case", () => {
    expect(ids(filteredRows(mixed, { q: "INT8 openvino" }))).toEqual(["openvino-int8"]);
  });

  it("combines backend and state", () => {
    expect(ids(filteredRows(mixed, { backend: "openvino", state: "failed" }))).toEqual(["openvino-f32"]);
  });
});

describe("differences only", () => {
  it("drops the columns that read the same in every row and keeps the recipe", () => {
    expect(differingColumns(columns, rows).map((column) => column.key)).toEqual(["recipe", "latency_p50_ms"]);
  });

  it("keeps everything when there is one row, since nothing can differ", () => {
    expect(differingColumns(columns, rows.slice(0, 1))).toHaveLength(columns.length);
  });
});

it("never hides the recipe, whatever columns an address asks for", () => {
  expect(chosenColumns(columns, "target").map((column) => column.key)).toEqual(["recipe", "target"]);
});

it("draws only what has both figures, and the front from left to right", () => {
  const points = scatterPoints(comparison);
  expect(points.map((point) => point.candidate.job_id)).toEqual(["slow", "fast", "middle"]);
  expect(frontPoints(comparison, points).map((point) => point.candidate.job_id)).toEqual(["fast", "middle"]);
});
