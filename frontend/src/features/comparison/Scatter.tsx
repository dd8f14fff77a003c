import { useComputedColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import type { Comparison } from "@/api/types";
import { columnUnit, metricText, sig3 } from "@/shared/format";
import { useMetrics } from "@/shared/ui/metric";
import styles from "./comparison.module.css";
import { frontPoints, type Point, scatterPoints } from "./points";

echarts.use([LineChart, ScatterChart, GridComponent, TooltipComponent, SVGRenderer]);

const SYMBOLS = ["circle", "rect", "triangle", "diamond", "pin", "arrow"] as const;

function palette(): Record<"text" | "dim" | "line" | "surface" | "accent" | "spark", string> & {
  hues: string[];
} {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--ws-${name}`).trim();
  return {
    text: read("text"),
    dim: read("dim"),
    line: read("line"),
    surface: read("surface"),
    accent: read("accent"),
    spark: read("spark-line"),
    hues: [read("accent"), read("info"), read("spark"), read("bad"), read("dim")],
  };
}

type Named = (name: string) => { title: string; unit: string; name: string };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function tip(point: Point, comparison: Comparison, metric: Named): string {
  const { x, y } = comparison.pareto;
  const { candidate } = point;
  const line = (name: string, value: number) =>
    `${escaped(metric(name).title)}: ${metricText(value, metric(name).unit)}`;
  return [
    `<strong>${escaped(candidate.recipe_label)}</strong>`,
    escaped(candidate.target.name),
    line(y, point.y),
    line(x, point.x),
    candidate.on_pareto ? "On the Pareto front" : "",
  ]
    .filter(Boolean)
    .join("<br>");
}

function axis(name: string, metric: Named, colours: ReturnType<typeof palette>, across: boolean) {
  const { title, unit } = metric(name);
  const named = columnUnit(unit);
  return {
    type: "value" as const,
    scale: true,
    name: named ? `${title}, ${named}` : title,
    nameLocation: across ? ("middle" as const) : ("end" as const),
    nameGap: across ? 30 : 14,
    nameTextStyle: {
      color: colours.dim,
      fontSize: 12,
      align: across ? ("center" as const) : ("left" as const),
    },
    axisLine: { show: true, lineStyle: { color: colours.dim } },
    axisTick: { show: true, lineStyle: { color: colours.dim } },
    minorTick: { show: true, splitNumber: 5, lineStyle: { color: colours.line } },
    axisLabel: {
      color: colours.dim,
      fontSize: 11,
      formatter: (value: number) => (value === 0 ? "0" : String(Number(value.toPrecision(4)))),
    },
    splitLine: { lineStyle: { color: colours.line, type: "dotted" as const } },
    boundaryGap: ["8%", "8%"] as [string, string],
  };
}

function option(comparison: Comparison, metric: Named, narrow: boolean): echarts.EChartsCoreOption {
  const colours = palette();
  const points = scatterPoints(comparison);
  const targets = [...new Set(points.map((point) => point.candidate.target.id))];
  const front = frontPoints(comparison, points);
  const series = targets.map((id, index) => ({
    type: "scatter",
    symbol: SYMBOLS[index % SYMBOLS.length],
    data: points
      .filter((point) => point.candidate.target.id === id)
      .map((point) => ({
        value: [point.x, point.y],
        point,
        symbolSize: point.candidate.job_id === comparison.winner_job_id ? 17 : 11,
        itemStyle: {
          color: point.candidate.is_baseline ? colours.surface : colours.hues[index % colours.hues.length],
          borderColor: colours.hues[index % colours.hues.length],
          borderWidth: 2,
        },
        label: {
          show: !narrow || point.candidate.on_pareto || point.candidate.is_baseline,
          formatter: point.candidate.recipe_label,
          position: "right",
          distance: 7,
          color: point.candidate.on_pareto ? colours.text : colours.dim,
          fontSize: 11,
        },
      })),
    labelLayout: { hideOverlap: true, moveOverlap: "shiftY" },
    emphasis: { scale: 1.25 },
    z: 3,
  }));
  return {
    animation: false,
    textStyle: { fontFamily: '"IBM Plex Sans Variable", sans-serif' },
    grid: { left: 8, right: narrow ? 34 : 120, top: 34, bottom: 44, containLabel: true },
    tooltip: {
      trigger: "item",
      backgroundColor: colours.surface,
      borderColor: colours.line,
      textStyle: { color: colours.text, fontSize: 12 },
      formatter: (params: { data: { point?: Point } }) =>
        params.data.point ? tip(params.data.point, comparison, metric) : "",
    },
    xAxis: axis(comparison.pareto.x, metric, colours, true),
    yAxis: axis(comparison.pareto.y, metric, colours, false),
    series: [
      {
        type: "line",
        data: front.map((point) => [point.x, point.y]),
        showSymbol: false,
        silent: true,
        lineStyle: { color: colours.spark, width: 1.5, type: "dashed" },
        z: 2,
      },
      ...series,
    ],
  };
}

const GLYPHS = ["●", "■", "▲", "◆", "●", "■"];

export default function Scatter({ comparison }: { comparison: Comparison }) {
  const place = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const metric = useMetrics();
  const scheme = useComputedColorScheme("light");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes the colours that are read
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = echarts.init(element, undefined, { renderer: "svg" });
    const draw = () => {
      chart.resize();
      chart.setOption(option(comparison, metric, element.clientWidth < 560), true);
    };
    draw();
    chart.on("click", (params) => {
      const { point } = (params.data ?? {}) as { point?: Point };
      if (point) void navigate({ to: "/jobs/$jobId", params: { jobId: point.candidate.job_id } });
    });
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [comparison, metric, navigate, scheme]);
  const points = scatterPoints(comparison);
  const targets = [
    ...new Map(points.map((point) => [point.candidate.target.id, point.candidate.target.name])).values(),
  ];
  const best = frontPoints(comparison, points).map(
    (point) => `${point.candidate.recipe_label} on ${point.candidate.target.name}, ${sig3(point.y)} ms`,
  );
  const label = `Scatter of ${points.length} results. On the Pareto front: ${best.join("; ") || "none"}. The table below has all figures and links.`;
  return (
    <>
      <div className={styles.chart} ref={place} role="img" aria-label={label} />
      <p className={styles.legend}>
        {targets.map((name, index) => (
          <span key={name}>
            <span aria-hidden="true">{GLYPHS[index % GLYPHS.length]} </span>
            {name}
          </span>
        ))}
        <span>○ hollow: as uploaded</span>
        <span style={{ color: "var(--ws-spark)" }}>- - Pareto front: nothing else is better in both</span>
        {comparison.pareto.axis_note && <span>{comparison.pareto.axis_note}</span>}
      </p>
    </>
  );
}
