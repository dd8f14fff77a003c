import type { SVGProps } from "react";

/** Our own small set, drawn on a 20-pixel grid with one 1.5 stroke. */
const PATHS = {
  upload: "M10 13.5V3.5M6 7.2l4-4 4 4M3.5 13v3.5h13V13",
  download: "M10 3.5v10M6 9.8l4 4 4-4M3.5 13v3.5h13V13",
  play: "M6.5 4.2v11.6L16 10z",
  pause: "M7 4.5v11M13 4.5v11",
  stop: "M5.5 5.5h9v9h-9z",
  close: "M5 5l10 10M15 5L5 15",
  check: "M4 10.5l4 4 8-9",
  retry: "M15.8 8A6.2 6.2 0 1 0 16.2 11M16.2 4v4.2H12",
  info: "M10 9v5M10 6.2v.2M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  warning: "M10 3.2 17.6 16.5H2.4zM10 8v4M10 14.2v.2",
  chevronRight: "M8 5l5 5-5 5",
  chevronDown: "M5 8l5 5 5-5",
  sortUp: "M10 15.5V4.5M6 8.2l4-4 4 4",
  sortDown: "M10 4.5v11M6 11.8l4 4 4-4",
  copy: "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z",
  columns: "M3.5 4h13v12h-13zM8 4v12M12.2 4v12",
  search: "M12.6 12.6l4 4M14 8.8a5.2 5.2 0 1 1-10.4 0 5.2 5.2 0 0 1 10.4 0z",
  sun: "M10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M15.3 4.7l-1.1 1.1M5.8 14.2l-1.1 1.1M13.2 10a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0z",
  moon: "M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3z",
  auto: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  menu: "M3 6h14M3 10h14M3 14h14",
  file: "M5 2.8h6.5L15 6.3v10.9H5zM11.3 3v3.5h3.5",
  mail: "M3 5h14v10.5H3zM3.2 5.4 10 11l6.8-5.6",
  key: "M11.2 8.8 17 3M14 6l2 2M11.7 12a3.7 3.7 0 1 1-7.4 0 3.7 3.7 0 0 1 7.4 0z",
  plus: "M10 4v12M4 10h12",
  trash: "M4 5.5h12M8 5.3V3.5h4v1.8M5.5 5.5l.7 11h7.6l.7-11",
  edit: "M4 16l.8-3.4L13 4.4 15.6 7l-8.2 8.2z",
  external: "M11.5 4H16v4.5M16 4l-7 7M14 11.5V16H4V6h4.5",
  user: "M13 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 16.8c.7-3 3-4.6 6-4.6s5.3 1.6 6 4.6",
  clock: "M10 5.8V10l2.8 1.8M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(["play"]);

export function Icon({
  name,
  size = 16,
  ...rest
}: { name: IconName; size?: number } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill={FILLED.has(name) ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: "none" }}
      {...rest}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: a blade laid on a stone. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <path d="M3 21.5h26l-2.2 6.5H5.2z" fill="var(--ws-accent)" />
      <path d="M5 18 27.5 4 29 7.2 12.6 18z" fill="var(--ws-spark-line)" />
      <path d="M14 18h12v1.6H14z" fill="var(--ws-accent)" opacity="0.35" />
    </svg>
  );
}
