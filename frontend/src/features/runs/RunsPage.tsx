import { Select } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { sentence } from "@/shared/format";
import { PageHead, Section } from "@/shared/ui/layout";
import { RunTable } from "./RunTable";

const route = getRouteApi("/app/runs");
const STATES = ["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled", "timed_out"];

export function RunsPage() {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHead
        title="Runs"
        actions={
          <Select
            aria-label="State"
            placeholder="Any state"
            clearable
            clearButtonProps={{ "aria-label": "Any state" }}
            data={STATES.map((value) => ({ value, label: sentence(value) }))}
            value={state ?? null}
            onChange={(value) => void navigate({ search: value ? { state: value } : {}, replace: true })}
          />
        }
      />
      <Section title="All runs" flush>
        <RunTable query={state ? { state: state as Run["state"] } : {}} columns="model" />
      </Section>
    </>
  );
}
