import type { Job, Run } from "@/api/types";

type Counts = Run["job_counts"];

export const ended = (counts: Counts): number =>
  counts.succeeded + counts.failed + counts.cancelled + counts.timed_out + counts.skipped;

/** Share of the run that is done, with the running jobs counted by their own progress. */
export function runProgress(run: Run, jobs: readonly Job[]): number {
  if (run.job_counts.total === 0) return 0;
  const running = jobs.reduce((sum, job) => sum + (job.state === "running" ? job.progress : 0), 0);
  return Math.min(1, (ended(run.job_counts) + running) / run.job_counts.total);
}

export interface TargetJobs {
  id: string;
  name: string;
  jobs: Job[];
}

/** Jobs under their target, in the order the run names its targets; within one, as they were planned. */
export function jobsByTarget(run: Run, jobs: readonly Job[]): TargetJobs[] {
  const groups = new Map<string, TargetJobs>(
    run.targets.map((t) => [t.id, { id: t.id, name: t.name, jobs: [] }]),
  );
  for (const job of jobs) {
    const id = job.target?.id ?? "";
    const group = groups.get(id) ?? { id, name: job.target?.name ?? "No target", jobs: [] };
    group.jobs.push(job);
    groups.set(id, group);
  }
  const list = [...groups.values()].filter((group) => group.jobs.length > 0);
  for (const group of list) group.jobs.sort((a, b) => (a.id < b.id ? -1 : 1));
  return list;
}
