import { useEffect, useState } from "react";
import * as api from "@/api/endpoints";
import type { JobEvent } from "@/api/types";

/** What one page keeps of a log; older lines remain on the server, in the job's log artifact. */
export const KEPT = 5_000;
const WAIT_MS = 1_000;

/** New events behind the known ones; one that came twice, as after a broken connection, counts once. */
export function appended(known: readonly JobEvent[], fresh: readonly JobEvent[]): JobEvent[] {
  const last = known.at(-1)?.seq ?? 0;
  const added = fresh.filter((event) => event.seq > last);
  return added.length ? [...known, ...added].slice(-KEPT) : [...known];
}

/** What of the events is worth a line: progress has its own bar. */
export const logLines = (events: readonly JobEvent[]): JobEvent[] =>
  events.filter((event) => event.kind !== "progress" && event.message !== "");

interface Log {
  jobId: string;
  events: JobEvent[];
  error: unknown;
  loaded: boolean;
}

const fresh = (jobId: string): Log => ({ jobId, events: [], error: null, loaded: false });

/** Follows the log by its sequence number, and once more after the job ended for the last lines. */
export function useJobEvents(jobId: string, open: boolean): Log {
  const [log, setLog] = useState<Log>(() => fresh(jobId));
  const current = log.jobId === jobId ? log : fresh(jobId);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let after = 0;
    const ask = async () => {
      let more = false;
      try {
        const page = await api.jobEvents(jobId, after, { signal: stop.signal });
        after = Math.max(after, page.last_seq);
        more = page.items.length > 0;
        setLog((previous) => ({
          jobId,
          events: appended(previous.jobId === jobId ? previous.events : [], page.items),
          error: null,
          loaded: true,
        }));
      } catch (error) {
        if (stop.signal.aborted) return;
        setLog((previous) => ({
          ...(previous.jobId === jobId ? previous : fresh(jobId)),
          error,
          loaded: true,
        }));
        more = true;
      }
      if (!stop.signal.aborted && (open || more)) timer = setTimeout(ask, WAIT_MS);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [jobId, open]);
  return current;
}
