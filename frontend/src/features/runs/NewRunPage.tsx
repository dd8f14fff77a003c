import { Button, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import * as api from "@/api/endpoints";
import { isStatus } from "@/api/problem";
import { recipesQuery, targetsQuery, versionQuery } from "@/api/queries";
import type { RecipeItem, RunNew, Target, Version } from "@/api/types";
import { usdPerHour } from "@/shared/format";
import { ErrorNote, Note } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { PageHead, PageSkeleton, Section } from "@/shared/ui/layout";
import { Choice } from "./Choice";
import styles from "./runs.module.css";

const route = getRouteApi("/app/versions/$versionId/run");

const PROFILES = [
  ["quick", "Quick", "At least 130 samples each: enough for p50, p90 and p95. Seconds per job."],
  [
    "standard",
    "Standard",
    "At least 662 samples each: p99 too, and more batch sizes. Up to a minute or two per job.",
  ],
] as const;

const OBJECTIVES = [
  ["latency", "Latency", "The fastest answer to one query at a time."],
  ["throughput", "Throughput", "The most items per second when saturated."],
  ["cost", "Cost", "The fewest dollars per million inferences; needs a price on the target."],
] as const;

const priceText = (target: Target): string =>
  target.price
    ? `${usdPerHour(target.price.usd_per_hour)}/h${target.price.kind === "stand_in" ? " (stand-in)" : ""}`
    : "no price";

function targetText(target: Target): string {
  const cores = `${target.cores.length} ${target.cores.length === 1 ? "core" : "cores"}`;
  const state = !target.online ? ", offline" : target.state !== "active" ? `, ${target.state}` : "";
  return `${target.host.cpu_model}, ${cores}, ${priceText(target)}${state}`;
}

const usable = (target: Target): boolean => target.online && target.state === "active";

interface Draft {
  dims: Record<string, number | string>;
  targets: Set<string>;
  recipes: Set<string>;
  profile: "quick" | "standard";
  objective: "latency" | "throughput" | "cost";
  sla: number | string;
  name: string;
  minutes: number | string;
}

function toggled(set: ReadonlySet<string>, id: string, on: boolean): Set<string> {
  const next = new Set(set);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

/** What is wrong with the draft, by field; empty when it can be sent. */
export function draftErrors(draft: Draft, dims: readonly { name: string }[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { name } of dims) {
    const value = draft.dims[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
      errors[`dim:${name}`] = "A whole number from 1.";
  }
  if (draft.targets.size === 0) errors.targets = "Choose at least one target that is online.";
  if (draft.recipes.size === 0) errors.recipes = "Choose at least one recipe.";
  if (draft.sla !== "" && !(Number(draft.sla) > 0)) errors.sla = "More than 0 ms, or leave it empty.";
  if (draft.minutes !== "" && !(Number(draft.minutes) >= 1))
    errors.minutes = "At least 1 minute, or leave it empty.";
  return errors;
}

function request(draft: Draft, versionId: string): RunNew {
  const dims = Object.fromEntries(Object.entries(draft.dims).map(([name, value]) => [name, Number(value)]));
  return {
    version_id: versionId,
    target_ids: [...draft.targets],
    recipe_ids: [...draft.recipes],
    dims,
    profile: draft.profile,
    objective: draft.objective,
    ...(draft.sla === "" ? {} : { sla_p99_ms: Number(draft.sla) }),
    ...(draft.name.trim() ? { name: draft.name.trim() } : {}),
    ...(draft.minutes === "" ? {} : { time_limit_minutes: Number(draft.minutes) }),
  };
}

function Dims({ draft, set, errors, version }: FormProps) {
  const dims = version.description?.dims ?? [];
  if (dims.length === 0) return null;
  return (
    <Section title="Dynamic axes">
      <p className="dim" style={{ marginTop: 0 }}>
        This model leaves the size of these axes open. They are bound to these values for the whole run.
      </p>
      <div className={styles.dims}>
        {dims.map((dim) => (
          <NumberInput
            key={dim.name}
            label={<code>{dim.name}</code>}
            description={dim.is_batch ? `batch of ${dim.used_by.join(", ")}` : dim.used_by.join(", ")}
            min={1}
            allowDecimal={false}
            clampBehavior="none"
            value={draft.dims[dim.name] ?? ""}
            error={errors[`dim:${dim.name}`]}
            onChange={(value) => set({ dims: { ...draft.dims, [dim.name]: value } })}
          />
        ))}
      </div>
    </Section>
  );
}

interface FormProps {
  draft: Draft;
  set: (patch: Partial<Draft>) => void;
  errors: Record<string, string>;
  version: Version;
}

function Goal({ draft, set, errors }: FormProps) {
  return (
    <Section title="Goal">
      <fieldset className={styles.fieldset}>
        <legend>What should win</legend>
        <div className={styles.choices}>
          {OBJECTIVES.map(([value, title, text]) => (
            <Choice
              key={value}
              type="radio"
              name="objective"
              value={value}
              title={title}
              checked={draft.objective === value}
              onChange={() => set({ objective: value })}
            >
              {text}
            </Choice>
          ))}
        </div>
      </fieldset>
      <fieldset className={styles.fieldset} style={{ marginTop: 16 }}>
        <legend>How long to measure</legend>
        <div className={styles.choices}>
          {PROFILES.map(([value, title, text]) => (
            <Choice
              key={value}
              type="radio"
              name="profile"
              value={value}
              title={title}
              checked={draft.profile === value}
              onChange={() => set({ profile: value })}
            >
              {text}
            </Choice>
          ))}
        </div>
      </fieldset>
      <NumberInput
        mt={16}
        maw={280}
        label="Latency limit (p99), ms"
        description="Leave empty for none. p99 itself needs the standard profile."
        min={0}
        clampBehavior="none"
        value={draft.sla}
        error={errors.sla}
        onChange={(sla) => set({ sla })}
      />
    </Section>
  );
}

function Narrow({
  draft,
  set,
  errors,
  targets,
  recipes,
}: FormProps & { targets: Target[]; recipes: RecipeItem[] }) {
  return (
    <Section
      title="Where and how"
      aside={
        <span className="dim" style={{ fontSize: "0.84rem" }}>
          {draft.targets.size} of {targets.length} targets × {draft.recipes.size} of {recipes.length} recipes
        </span>
      }
    >
      <details
        className={styles.fold}
        open={Boolean(errors.targets || errors.recipes || errors.minutes) || undefined}
      >
        <summary>Narrow it</summary>
        <fieldset className={styles.fieldset}>
          <legend>Targets</legend>
          {errors.targets && <p style={{ color: "var(--ws-bad)", marginTop: 0 }}>{errors.targets}</p>}
          <div className={styles.choices}>
            {targets.map((target) => (
              <Choice
                key={target.id}
                type="checkbox"
                name="targets"
                value={target.id}
                title={target.name}
                disabled={!usable(target)}
                checked={draft.targets.has(target.id)}
                onChange={(on) => set({ targets: toggled(draft.targets, target.id, on) })}
              >
                {targetText(target)}
              </Choice>
            ))}
          </div>
        </fieldset>
        <fieldset className={styles.fieldset} style={{ marginTop: 16 }}>
          <legend>Recipes</legend>
          {errors.recipes && <p style={{ color: "var(--ws-bad)", marginTop: 0 }}>{errors.recipes}</p>}
          <div className={styles.choices}>
            {recipes.map((recipe) => (
              <Choice
                key={recipe.id}
                type="checkbox"
                name="recipes"
                value={recipe.id}
                title={recipe.label}
                checked={draft.recipes.has(recipe.id)}
                onChange={(on) => set({ recipes: toggled(draft.recipes, recipe.id, on) })}
              >
                {recipe.description}
                {recipe.is_baseline && " Without it there is nothing to compare with."}
              </Choice>
            ))}
          </div>
        </fieldset>
        <div className={styles.dims} style={{ marginTop: 16 }}>
          <TextInput
            label="Name of the run"
            description="Optional"
            maxLength={200}
            value={draft.name}
            onChange={(e) => set({ name: e.currentTarget.value })}
          />
          <NumberInput
            label="Time limit, minutes"
            description="Optional"
            min={1}
            clampBehavior="none"
            value={draft.minutes}
            error={errors.minutes}
            onChange={(minutes) => set({ minutes })}
          />
        </div>
      </details>
    </Section>
  );
}

function initialDraft(version: Version, targets: Target[], recipes: RecipeItem[]): Draft {
  const dims = version.description?.dims ?? [];
  return {
    dims: Object.fromEntries(dims.map((dim) => [dim.name, dim.suggested ?? ""])),
    targets: new Set(targets.filter(usable).map((target) => target.id)),
    recipes: new Set(recipes.map((recipe) => recipe.id)),
    profile: "quick",
    objective: "latency",
    sla: "",
    name: "",
    minutes: "",
  };
}

function Form({ version, targets, recipes }: { version: Version; targets: Target[]; recipes: RecipeItem[] }) {
  const [draft, setDraft] = useState(() => initialDraft(version, targets, recipes));
  const [tried, setTried] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const found = draftErrors(draft, version.description?.dims ?? []);
  const valid = Object.keys(found).length === 0;
  const mutation = useMutation({
    mutationFn: () => api.runStart(request(draft, version.id)),
    onSuccess: async (run) => {
      void client.invalidateQueries({ queryKey: ["runs"] });
      await navigate({ to: "/runs/$runId", params: { runId: run.id } });
    },
  });
  const set = (patch: Partial<Draft>) => setDraft((current) => ({ ...current, ...patch }));
  // An axis is judged as it is typed; an empty choice only once the button was pressed.
  const errors = tried
    ? found
    : Object.fromEntries(Object.entries(found).filter(([key]) => !/^(targets|recipes)$/.test(key)));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (valid) mutation.mutate();
  };
  const props = { draft, set, errors, version };
  const jobs = draft.targets.size * draft.recipes.size;
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <div className={styles.submit}>
        <Button
          type="submit"
          size="md"
          leftSection={<Icon name="play" size={12} />}
          loading={mutation.isPending}
        >
          Start the run
        </Button>
        <span className="dim tnum">
          {jobs} {jobs === 1 ? "job" : "jobs"}: {draft.recipes.size} recipes on {draft.targets.size} targets.
          One measurement at a time per machine.
        </span>
      </div>
      {tried && !valid && (
        <Note tone="bad">
          <p role="alert">{Object.values(found).join(" ")}</p>
        </Note>
      )}
      {mutation.isError && <ErrorNote error={mutation.error} />}
      <div>
        <Dims {...props} />
        <Goal {...props} />
        <Narrow {...props} targets={targets} recipes={recipes} />
      </div>
    </form>
  );
}

export function NewRunPage() {
  const { versionId } = route.useParams();
  const [version, targets, recipes] = useQueries({
    queries: [versionQuery(versionId), targetsQuery, recipesQuery],
  });
  const broken = [version, targets, recipes].find((query) => query.isError);
  if (isStatus(version.error, 404)) throw version.error;
  if (broken?.isError) return <ErrorNote error={broken.error} onRetry={() => void broken.refetch()} />;
  if (!version.data || !targets.data || !recipes.data) return <PageSkeleton />;
  const name = `${version.data.model_name} v${version.data.number}`;
  return (
    <>
      <PageHead
        title="New run"
        documentTitle={`New run of ${name}`}
        crumbs={[
          <Link key="models" to="/models">
            Models
          </Link>,
          <Link key="version" to="/versions/$versionId" params={{ versionId }}>
            {name}
          </Link>,
        ]}
        lede="Every recipe is built and measured on every target, and its answers are compared with the uploaded model's."
      />
      {version.data.state !== "ready" ? (
        <Note tone="warning">
          {version.data.state === "inspecting"
            ? "This version is still being read. A run can start as soon as it is ready."
            : "This version was rejected, so nothing can run."}{" "}
          <Link to="/versions/$versionId" params={{ versionId }}>
            Back to the version
          </Link>
        </Note>
      ) : (
        <Form version={version.data} targets={targets.data.items} recipes={recipes.data.items} />
      )}
    </>
  );
}
