import type { Candidate, Comparison } from "@/api/types";

export interface Point {
  x: number;
  y: number;
  candidate: Candidate;
}

/** Every candidate that has both figures. */
export function scatterPoints(comparison: Comparison): Point[] {
  const { x, y } = comparison.pareto;
  return comparison.candidates.flatMap((candidate) => {
    const px = candidate.values[x];
    const py = candidate.values[y];
    return typeof px === "number" && typeof py === "number" ? [{ x: px, y: py, candidate }] : [];
  });
}

/** The front from left to right, as the line is drawn. */
export function frontPoints(comparison: Comparison, points: readonly Point[]): Point[] {
  const front = new Set(comparison.pareto.job_ids);
  return points.filter((point) => front.has(point.candidate.job_id)).sort((a, b) => a.x - b.x || b.y - a.y);
}
