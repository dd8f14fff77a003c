import { Popover, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { metricsQuery } from "@/api/queries";
import type { Metric } from "@/api/types";
import { sentence } from "@/shared/format";
import { Icon } from "./icons";
import styles from "./ui.module.css";

/** The definitions the server gives, by name; a name it does not know still gets a readable title. */
export function useMetrics(): (name: string) => Metric {
  const { data } = useQuery(metricsQuery);
  return useMemo(() => {
    const known = new Map(data?.items.map((metric) => [metric.name, metric]));
    return (name: string) =>
      known.get(name) ?? {
        name,
        title: sentence(name),
        unit: "",
        direction: "none",
        formula: "",
        description: "",
      };
  }, [data]);
}

const BETTER = { lower: "Lower is better.", higher: "Higher is better.", none: "" };

export function MetricInfo({ name }: { name: string }) {
  const metric = useMetrics()(name);
  return (
    <Popover width={290} withArrow shadow="md" position="top" withinPortal>
      <Popover.Target>
        <button type="button" className={styles.i} aria-label={`What is ${metric.title}?`}>
          <Icon name="info" size={14} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text fw={600} size="sm">
          {metric.title}
          {metric.unit && ` (${metric.unit})`}
        </Text>
        <Text size="sm" ff="monospace" mt={4} style={{ whiteSpace: "normal", textAlign: "left" }}>
          {metric.formula}
        </Text>
        <Text size="sm" mt={4} style={{ whiteSpace: "normal", textAlign: "left" }}>
          {metric.description} {BETTER[metric.direction]}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
