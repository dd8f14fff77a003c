import { Skeleton, Title } from "@mantine/core";
import { type ReactNode, useEffect, useId } from "react";
import styles from "./ui.module.css";

export function useTitle(title: string | undefined) {
  useEffect(() => {
    if (title) document.title = `${title} · Whetstone`;
  }, [title]);
}

interface PageHeadProps {
  title: ReactNode;
  documentTitle?: string;
  crumbs?: ReactNode[];
  lede?: ReactNode;
  actions?: ReactNode;
}

export function PageHead({ title, documentTitle, crumbs, lede, actions }: PageHeadProps) {
  useTitle(documentTitle ?? (typeof title === "string" ? title : undefined));
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        {crumbs && crumbs.length > 0 && (
          <nav className={styles.crumbs} aria-label="Breadcrumb">
            {crumbs.map((crumb, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a trail has no other identity than its order
              <span key={index}>
                {crumb} <span aria-hidden="true">/</span>
              </span>
            ))}
          </nav>
        )}
        <Title order={1}>{title}</Title>
        {lede && <div className={styles.lede}>{lede}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

interface SectionProps {
  title: ReactNode;
  aside?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}

export function Section({ title, aside, flush = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </div>
      <div className={flush ? styles.flush : styles.sectionBody}>{children}</div>
    </section>
  );
}

/** A wide table scrolls inside its own box; the box is focusable so that keys can scroll it. */
export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

export interface Fact {
  label: ReactNode;
  value: ReactNode;
  key: string;
}

export function Facts({ items }: { items: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {items.map((item) => (
        <div key={item.key}>
          <dt>{item.label}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <Title order={2}>{title}</Title>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Rows of the height the real ones will have, so that nothing jumps when they come. */
export function RowsSkeleton({ rows = 4, height = 40 }: { rows?: number; height?: number }) {
  return (
    <div aria-hidden="true" style={{ padding: 12 }}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
        <Skeleton key={index} height={height - 12} mb={12} radius={2} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton height={14} width={180} mb={10} radius={2} />
      <Skeleton height={30} width="min(420px, 70%)" mb={28} radius={2} />
      <Skeleton height={72} mb={16} radius={3} />
      <Skeleton height={280} radius={3} />
    </div>
  );
}

export function Gauge({
  value,
  label,
  tone,
}: {
  value: number;
  label: string;
  tone?: "bad" | "quiet" | undefined;
}) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={styles.gauge}
      data-tone={tone}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}
