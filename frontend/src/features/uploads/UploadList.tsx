import { Button, FileButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { bytes, duration } from "@/shared/format";
import { ConfirmButton, ErrorNote } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { Gauge, Section } from "@/shared/ui/layout";
import { uploadManager, useUploads } from "./manager";
import type { Snapshot } from "./task";
import styles from "./uploads.module.css";

const percent = (part: number, all: number): string => `${all ? Math.floor((part / all) * 100) : 0} %`;

function figures(item: Snapshot): string {
  const sent = `${bytes(item.sent)} of ${bytes(item.size)}`;
  switch (item.phase) {
    case "hashing":
      return `Computing SHA-256: ${percent(item.hashed, item.size)} of ${bytes(item.size)}`;
    case "starting":
      return "Starting";
    case "sending": {
      const rate = item.rate === null ? "" : ` · ${bytes(item.rate)}/s`;
      const left = item.secondsLeft === null ? "" : ` · ${duration(Math.max(1, item.secondsLeft))} left`;
      return `${sent} · ${percent(item.sent, item.size)}${rate}${left}`;
    }
    case "paused":
      return `Paused at ${sent}`;
    case "completing":
      return "All bytes sent; the server is putting them together";
    case "done":
      return `${bytes(item.size)} uploaded`;
    case "failed":
      return `Stopped at ${sent}`;
    case "file_needed":
      return `${sent} arrived. The browser no longer has this file: choose the same file again to carry on.`;
    case "elsewhere":
      return "Another tab of this browser is sending it; this one takes over when that is closed.";
    case "cancelled":
      return "Cancelled";
  }
}

function Tools({ item }: { item: Snapshot }) {
  const { key, phase, upload, filename } = item;
  if (phase === "done")
    return (
      <>
        {upload?.version_id && (
          <Button
            size="xs"
            renderRoot={(props) => (
              <Link to="/versions/$versionId" params={{ versionId: upload.version_id ?? "" }} {...props} />
            )}
          >
            See what was found
          </Button>
        )}
        <Button variant="subtle" color="gray" size="xs" onClick={() => uploadManager.dismiss(key)}>
          Dismiss<span className="sr-only"> {filename}</span>
        </Button>
      </>
    );
  return (
    <>
      {(phase === "sending" || phase === "hashing") && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="pause" />}
          onClick={() => uploadManager.pause(key)}
        >
          Pause<span className="sr-only"> {filename}</span>
        </Button>
      )}
      {(phase === "paused" || phase === "failed") && (
        <Button
          size="xs"
          leftSection={<Icon name="play" size={12} />}
          onClick={() => uploadManager.resume(key)}
        >
          {phase === "paused" ? "Resume" : "Try again"}
          <span className="sr-only"> {filename}</span>
        </Button>
      )}
      {phase === "file_needed" && (
        <FileButton onChange={(file) => file && uploadManager.offer(key, file)}>
          {(props) => (
            <Button size="xs" {...props}>
              Choose the same file
            </Button>
          )}
        </FileButton>
      )}
      <ConfirmButton
        size="xs"
        label={
          <>
            Cancel<span className="sr-only"> {filename}</span>
          </>
        }
        title="Cancel this upload?"
        confirm="Cancel upload"
        action={() => uploadManager.cancel(key)}
      >
        The bytes of {filename} that have arrived are thrown away.
      </ConfirmButton>
    </>
  );
}

function Item({ item }: { item: Snapshot }) {
  const hashing = item.phase === "hashing";
  const tone =
    item.phase === "failed"
      ? "bad"
      : item.phase === "paused" || item.phase === "file_needed"
        ? "quiet"
        : undefined;
  return (
    <div className={styles.item}>
      <div className={styles.name} title={item.filename}>
        {item.filename}
      </div>
      <div className={styles.figures}>{figures(item)}</div>
      <div className={styles.tools}>
        <Tools item={item} />
      </div>
      {item.phase !== "done" && (
        <div className={styles.bar}>
          <Gauge
            label={`${hashing ? "Hashing" : "Upload of"} ${item.filename}`}
            value={item.size ? (hashing ? item.hashed : item.sent) / item.size : 0}
            tone={tone}
          />
        </div>
      )}
      {item.error !== null && (
        <div className={styles.error}>
          <ErrorNote error={item.error} />
        </div>
      )}
    </div>
  );
}

/** Every upload of this tab and every unfinished one of the server; nothing at all when there is none. */
export function UploadList() {
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  return (
    <Section title="Uploads" flush>
      <div className={styles.list}>
        {uploads.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </div>
    </Section>
  );
}
