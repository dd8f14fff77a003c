import { ActionIcon, Button, Group, Modal, Text, Tooltip } from "@mantine/core";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { describeError } from "@/api/problem";
import type { Failure, Finding, JobState, RunState, Version } from "@/api/types";
import { ago, sentence } from "@/shared/format";
import { Icon } from "./icons";
import styles from "./ui.module.css";

/** Whatever went wrong, as sentence, next step, code and request id. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = describeError(error);
  return (
    <div className={styles.note} role="alert">
      <p>
        <strong>{problem.detail}</strong>
      </p>
      {problem.errors.map((item) => (
        <p key={`${item.loc.join(".")}:${item.msg}`}>
          <code>{item.loc.filter((part) => part !== "body" && part !== "payload").join(".")}</code> {item.msg}
        </p>
      ))}
      {problem.hint && <p>{problem.hint}</p>}
      <p className={styles.code}>
        {problem.code}
        {problem.requestId && ` · request ${problem.requestId}`}
      </p>
      {onRetry && (
        <Button variant="default" size="xs" mt={8} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const SIDES = {
  user: "Something to change in the model or the request",
  system: "A fault on Whetstone's side",
  limit: "A stated limit was reached",
} as const;

export function FailureNote({ failure, children }: { failure: Failure; children?: ReactNode }) {
  return (
    <div className={styles.note} data-tone={failure.side === "limit" ? "warning" : "bad"}>
      <p>
        <strong>{failure.message}</strong>
      </p>
      {failure.hint && <p>{failure.hint}</p>}
      <p className={styles.code}>
        {failure.code} · {SIDES[failure.side]}
        {failure.retryable ? " · a retry can help" : ""}
        {Object.entries(failure.detail ?? {}).map(([key, value]) => ` · ${key}: ${value}`)}
      </p>
      {children}
    </div>
  );
}

export function Note({ tone, children }: { tone: "info" | "warning" | "good" | "bad"; children: ReactNode }) {
  return (
    <div className={styles.note} data-tone={tone}>
      {children}
    </div>
  );
}

export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const order = { error: 0, warning: 1, info: 2 };
  const sorted = [...findings].sort((a, b) => order[a.severity] - order[b.severity]);
  return (
    <div style={{ display: "grid", gap: 8 }}>
      {sorted.map((finding) => (
        <div
          key={`${finding.code}:${finding.where}:${finding.message}`}
          className={styles.note}
          data-tone={finding.severity === "error" ? "bad" : finding.severity}
        >
          <p>
            <span className="sr-only">{sentence(finding.severity)}: </span>
            <strong>{finding.message}</strong>
          </p>
          {finding.hint && <p>{finding.hint}</p>}
          <p className={styles.code}>
            {finding.code}
            {finding.where && ` · ${finding.where}`}
          </p>
        </div>
      ))}
    </div>
  );
}

export type Tone = "good" | "live" | "warn" | "bad" | "quiet" | "plain";

export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {dot && <span className={styles.dot} />}
      {children}
    </span>
  );
}

const TONES: Record<RunState | JobState | Version["state"], Tone> = {
  queued: "plain",
  running: "live",
  inspecting: "live",
  succeeded: "good",
  ready: "good",
  partially_succeeded: "warn",
  failed: "bad",
  rejected: "bad",
  timed_out: "bad",
  cancelled: "quiet",
  skipped: "quiet",
};

export function StateBadge({
  state,
  cancelling = false,
}: {
  state: keyof typeof TONES;
  cancelling?: boolean;
}) {
  const live = state === "running" || state === "queued" || state === "inspecting";
  return (
    <Badge tone={TONES[state]} dot={state !== "queued"}>
      {cancelling && live ? "Cancelling" : sentence(state)}
    </Badge>
  );
}

/** The current time, refreshed; for durations that grow while one looks. */
export function useNow(interval: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (interval === null) return;
    const id = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(id);
  }, [interval]);
  return now;
}

export function Ago({ at, empty = "never" }: { at: string | null | undefined; empty?: string }) {
  const now = useNow(30_000);
  if (!at) return <span className="dim">{empty}</span>;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="nowrap">
      {ago(at, now)}
    </time>
  );
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Tooltip label={clipboard.copied ? "Copied" : label}>
      <ActionIcon aria-label={clipboard.copied ? "Copied" : label} onClick={() => clipboard.copy(text)}>
        <Icon name={clipboard.copied ? "check" : "copy"} />
      </ActionIcon>
    </Tooltip>
  );
}

export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}

interface ConfirmProps {
  label: ReactNode;
  title: string;
  children: ReactNode;
  confirm: string;
  action: () => Promise<unknown>;
  danger?: boolean;
  disabled?: boolean;
  size?: "xs" | "sm";
  variant?: string;
}

/** A button whose effect cannot be taken back asks once, and shows the server's refusal in place. */
export function ConfirmButton({
  label,
  title,
  children,
  confirm,
  action,
  danger = true,
  disabled,
  size,
  variant,
}: ConfirmProps) {
  const [opened, { open, close }] = useDisclosure();
  const mutation = useMutation({ mutationFn: action, onSuccess: close });
  return (
    <>
      <Button
        variant={variant ?? "default"}
        size={size ?? "sm"}
        disabled={disabled ?? false}
        onClick={() => {
          mutation.reset();
          open();
        }}
      >
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <Text size="md" component="div" mb={16}>
          {children}
        </Text>
        {mutation.isError && <ErrorNote error={mutation.error} />}
        <Group justify="flex-end" mt={16}>
          <Button variant="default" onClick={close}>
            Keep
          </Button>
          <Button
            {...(danger ? { color: "red.8" } : {})}
            loading={mutation.isPending}
            onClick={() => mutation.mutate()}
          >
            {confirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

export function LoadMore({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!query.hasNextPage) return null;
  return (
    <Group justify="center" p={12}>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Show more
      </Button>
    </Group>
  );
}
