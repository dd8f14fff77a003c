import { describe, expect, it } from "vitest";
import { bytes, change, count, duration, metricText, metricValue, sig3, usdPerHour } from "./format";

describe("numbers", () => {
  it.each([
    [0, "0"],
    [1.2345, "1.23"],
    [12, "12.0"],
    [12345, "12,300"],
    [0.00012345, "1.23e-4"],
    [Number.NaN, "–"],
    [null, "–"],
  ])("writes %s with three digits as %s", (value, text) => {
    expect(sig3(value)).toBe(text);
  });

  it("never rounds an agreement of almost one to a perfect one", () => {
    expect(metricValue(0.99997, "")).toBe("0.999970");
    expect(metricValue(1, "")).toBe("1");
  });

  it("counts bytes in decimal units, and steps up before it would write 1,000", () => {
    expect(bytes(999)).toBe("999 B");
    expect(bytes(999_600)).toBe("1.00 MB");
    expect(metricText(14_200_000, "bytes")).toBe("14.2 MB");
  });

  it("shortens counts from ten thousand on", () => {
    expect(count(9_999)).toBe("9,999");
    expect(count(25_557_032)).toBe("25.6 M");
  });

  it.each([
    [0.05, "50 ms"],
    [9.96, "10 s"],
    [59.6, "1 min"],
    [3_720, "1 h 2 min"],
  ])("writes %s seconds as %s", (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it("keeps a price that is very small apart from nothing", () => {
    expect(usdPerHour("0.000012")).toBe("$1.20e-5");
    expect(usdPerHour("0.357")).toBe("$0.357");
  });
});

describe("change against the baseline", () => {
  it("says which way is better by the direction of the figure", () => {
    expect(change("latency_p50_ms", 0.5, "lower")).toEqual({ text: "2.00× faster", verdict: "better" });
    expect(change("throughput_per_s", 0.5, "higher")).toEqual({ text: "2.00× less", verdict: "worse" });
  });

  it("calls less than two percent the same", () => {
    expect(change("latency_p50_ms", 1.015, "lower")?.verdict).toBe("same");
  });

  it("says nothing without a baseline or a direction", () => {
    expect(change("latency_p50_ms", null, "lower")).toBeNull();
    expect(change("samples", 2, "none")).toBeNull();
  });
});
