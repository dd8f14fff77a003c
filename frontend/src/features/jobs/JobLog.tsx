import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { JobEvent } from "@/api/types";
import { words } from "@/shared/format";
import { ErrorNote } from "@/shared/ui/feedback";
import { RowsSkeleton, Section } from "@/shared/ui/layout";
import { logLines, useJobEvents } from "./events";
import styles from "./jobs.module.css";

const NEAR_END = 40;

function Line({ event }: { event: JobEvent }) {
  return (
    <div className={styles.line} data-kind={event.kind}>
      <span title={event.at}>{new Date(event.at).toLocaleTimeString("en-GB")}</span>
      <span>{words(event.stage)}</span>
      <div>{event.message}</div>
    </div>
  );
}

/** Stays at the newest line until the reader scrolls away from it. */
function Lines({ lines }: { lines: readonly JobEvent[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const newest = lines.at(-1)?.seq;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is what moves the box
  useEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest, following]);
  return (
    <>
      <div
        ref={box}
        className={styles.log}
        role="log"
        aria-label="Log of the job"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          setFollowing(scrollHeight - scrollTop - clientHeight < NEAR_END);
        }}
      >
        {lines.map((event) => (
          <Line key={event.seq} event={event} />
        ))}
      </div>
      {!following && (
        <Button variant="subtle" size="xs" m={8} onClick={() => setFollowing(true)}>
          Go to the newest line
        </Button>
      )}
    </>
  );
}

export function JobLog({ jobId, open }: { jobId: string; open: boolean }) {
  const log = useJobEvents(jobId, open);
  const lines = logLines(log.events);
  return (
    <Section title="Log" aside={open && <span className="dim">Live</span>} flush>
      {log.error !== null && <ErrorNote error={log.error} />}
      {!log.loaded && <RowsSkeleton rows={3} height={30} />}
      {log.loaded && lines.length === 0 && (
        <p className="dim" style={{ padding: "0 16px" }}>
          {open ? "Nothing yet: a runner has not begun." : "This job wrote no log."}
        </p>
      )}
      {lines.length > 0 && <Lines lines={lines} />}
    </Section>
  );
}
