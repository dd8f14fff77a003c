import { Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { FieldError } from "@/api/auth";
import { Mark } from "@/shared/ui/icons";
import { useTitle } from "@/shared/ui/layout";
import uiStyles from "@/shared/ui/ui.module.css";
import styles from "./auth.module.css";

/** A latency distribution before and after: drawn, not measured. */
function Plate() {
  const ticks = Array.from({ length: 41 }, (_, index) => index);
  return (
    <div className={styles.plate} aria-hidden="true">
      <svg viewBox="0 0 640 300" role="presentation">
        <path
          d="M300 250 C350 248 372 236 398 196 C420 160 436 146 456 146 C482 146 494 176 516 208 C540 240 584 248 636 250 Z"
          fill="var(--ws-line)"
        />
        <path
          d="M96 250 C130 248 142 220 152 140 C160 70 168 36 178 36 C190 36 196 96 206 168 C216 226 232 248 262 250 Z"
          fill="var(--ws-accent)"
          opacity="0.9"
        />
        <line x1="178" y1="20" x2="178" y2="250" stroke="var(--ws-spark-line)" strokeWidth="1.5" />
        <line x1="456" y1="128" x2="456" y2="250" stroke="var(--ws-line-strong)" strokeWidth="1.5" />
        <g fontSize="13" fontFamily="IBM Plex Mono, monospace" fill="var(--ws-dim)">
          <text x="188" y="30">
            after
          </text>
          <text x="466" y="136">
            as uploaded
          </text>
        </g>
        <g stroke="var(--ws-line-strong)">
          <line x1="0" y1="250" x2="640" y2="250" />
          {ticks.map((tick) => (
            <line key={tick} x1={tick * 16} x2={tick * 16} y1="250" y2={tick % 5 === 0 ? 264 : 257} />
          ))}
        </g>
      </svg>
      <p>
        Upload a trained model. Whetstone builds it every way your machines can run it, measures each one,
        checks that the answers stayed the same, and says which is fastest and which is cheapest.
      </p>
    </div>
  );
}

export function AuthFrame({
  title,
  lede,
  children,
}: {
  title: string;
  lede?: ReactNode;
  children: ReactNode;
}) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <main className={styles.form} id="main">
        <Link to="/" className={styles.brand}>
          <Mark /> Whetstone
        </Link>
        <div className={styles.inner}>
          <Title order={1}>{title}</Title>
          {lede && <div className="dim">{lede}</div>}
          {children}
        </div>
        <div className={styles.foot}>
          <a href="/api/v1/docs">API documentation</a>
        </div>
      </main>
      <Plate />
    </div>
  );
}

/** Errors that belong to no field; those that do stand at their field. */
export function FormErrors({ errors, fields }: { errors: readonly FieldError[]; fields: readonly string[] }) {
  const general = errors.filter((error) => !error.param || !fields.includes(error.param));
  if (general.length === 0) return null;
  return (
    <div className={uiStyles.note} role="alert">
      {general.map((error) => (
        <p key={error.code + error.message}>{error.message}</p>
      ))}
    </div>
  );
}

export const fieldError = (errors: readonly FieldError[], field: string): string | undefined =>
  errors
    .filter((error) => error.param === field)
    .map((error) => error.message)
    .join(" ") || undefined;
