/** Numbers as an engineer reads them: three significant digits, units named, nothing rounded to a lie. */

const three = new Intl.NumberFormat("en-US", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const MISSING = "–";

export function sig3(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e9) return value.toExponential(2).replace("e+", "e");
  return three.format(value);
}

export const integer = (value: number): string => whole.format(value);

const SIZES = ["B", "kB", "MB", "GB", "TB"] as const;

/** Decimal units: 1 MB is 1,000,000 bytes, as storage and networks count. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  let size = value;
  let unit = 0;
  while (size >= 999.5 && unit < SIZES.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return unit === 0 ? `${whole.format(size)} B` : `${three.format(size)} ${SIZES[unit]}`;
}

const COUNTS = ["", "k", "M", "G", "T", "P"] as const;

export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (value < 10_000) return whole.format(value);
  let size = value;
  let unit = 0;
  while (size >= 999.5 && unit < COUNTS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${three.format(size)} ${COUNTS[unit]}`;
}

/** How long something takes or took. Seconds below a minute keep one decimal under ten. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  const total = Math.max(0, seconds);
  if (total < 0.1) return `${whole.format(total * 1000)} ms`;
  if (total < 9.95) return `${total.toFixed(1)} s`;
  const rounded = Math.round(total);
  if (rounded < 60) return `${rounded} s`;
  const h = Math.floor(rounded / 3600);
  const m = Math.floor((rounded % 3600) / 60);
  const s = rounded % 60;
  if (h > 0) return m ? `${h} h ${m} min` : `${h} h`;
  return s ? `${m} min ${s} s` : `${m} min`;
}

export function usdPerHour(value: string | number): string {
  const amount = Number(value);
  if (!Number.isFinite(amount)) return MISSING;
  return `$${amount < 0.001 && amount > 0 ? amount.toExponential(2) : three.format(amount)}`;
}

/** Units as column headers show them: bytes become MB so that a column has one unit. */
export function columnUnit(unit: string): string {
  return unit === "bytes" ? "MB" : unit;
}

export function metricValue(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (unit === "bytes") return sig3(value / 1e6);
  if (unit === "items") return integer(value);
  // A cosine of 0.99997 in three digits would read as a perfect 1.00.
  if (unit === "" && value > 0.99 && value < 1) return value.toFixed(6);
  if (unit === "" && value === 1) return "1";
  return sig3(value);
}

/** The same with the unit behind it, for prose and tiles. */
export function metricText(value: number | null | undefined, unit: string): string {
  const shown = metricValue(value, unit);
  const named = columnUnit(unit);
  if (shown === MISSING || named === "") return shown;
  return named === "USD" ? `$${shown}` : `${shown} ${named}`;
}

const WORDS: [RegExp, string, string][] = [
  [/^(latency|load|first_inference|compile)/, "faster", "slower"],
  [/^usd_per/, "cheaper", "dearer"],
  [/bytes$/, "smaller", "larger"],
  [/^(throughput|inferences)/, "more", "less"],
];

export interface Change {
  text: string;
  verdict: "better" | "worse" | "same";
}

/** A ratio this/baseline in words: 0.42 of the latency is "2.38x faster". Within 2 % is "same". */
export function change(metric: string, ratio: number | null | undefined, direction: string): Change | null {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio) || ratio <= 0) return null;
  if (direction === "none") return null;
  const words = WORDS.find(([pattern]) => pattern.test(metric));
  if (!words) return null;
  if (Math.abs(ratio - 1) < 0.02) return { text: "same", verdict: "same" };
  const better = direction === "lower" ? ratio < 1 : ratio > 1;
  const factor = ratio < 1 ? 1 / ratio : ratio;
  return { text: `${times(factor)} ${better ? words[1] : words[2]}`, verdict: better ? "better" : "worse" };
}

export const times = (factor: number): string => `${three.format(factor)}×`;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function ago(iso: string, now: number = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return seconds > 5 ? "in a moment" : "just now";
  if (size < 2_700) return relative.format(Math.round(seconds / 60), "minute");
  if (size < 79_200) return relative.format(Math.round(seconds / 3_600), "hour");
  if (size < 2_592_000) return relative.format(Math.round(seconds / 86_400), "day");
  return new Date(iso).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}

export const shape = (dims: readonly (number | string)[]): string =>
  dims.length ? `[${dims.join(" × ")}]` : "scalar";

export const words = (name: string): string => name.replace(/_/g, " ");
export const sentence = (name: string): string => {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
};
