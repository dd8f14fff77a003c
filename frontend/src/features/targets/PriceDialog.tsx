import { Button, Group, Modal, NumberInput, SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import * as api from "@/api/endpoints";
import { pricesQuery } from "@/api/queries";
import type { Target, TargetPriceSet } from "@/api/types";
import { usdPerHour } from "@/shared/format";
import { ErrorNote, LoadMore } from "@/shared/ui/feedback";
import { Icon } from "@/shared/ui/icons";
import { RowsSkeleton } from "@/shared/ui/layout";
import styles from "./targets.module.css";

type Kind = TargetPriceSet["kind"];

function Pick({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), 250);
  const query = useInfiniteQuery(pricesQuery(search ? { search } : {}));
  const prices = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <TextInput
        type="search"
        label="Search the price book"
        placeholder="c7i, eu-central-1, Sapphire Rapids …"
        leftSection={<Icon name="search" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={styles.pick} role="radiogroup" aria-label="List prices">
        {query.isPending && <RowsSkeleton rows={4} />}
        {query.isError && <ErrorNote error={query.error} />}
        {query.isSuccess && prices.length === 0 && <p style={{ padding: "0 12px" }}>No price matches.</p>}
        {prices.map((price) => (
          <label key={price.id}>
            <input
              type="radio"
              name="price"
              checked={chosen === price.id}
              onChange={() => onChoose(price.id)}
            />
            <span>
              {price.instance_type}, {price.region}
              <small>
                {price.provider}, {price.price_kind.replace(/_/g, " ")}, {price.accelerator || price.cpu},{" "}
                {price.vcpus !== null && `${price.vcpus} vCPU, `}
                {price.as_of}
              </small>
            </span>
            <span className="num">{usdPerHour(price.usd_per_hour)}/h</span>
          </label>
        ))}
        <LoadMore query={query} />
      </div>
    </>
  );
}

const ABOUT: Record<Kind, string> = {
  list: "A published list price, kept with its source, region and date.",
  manual: "What you pay: a contract, or your own machine's cost per hour.",
  stand_in: "A made-up figure, so that costs can be compared. It is labelled as one everywhere.",
};

function Form({ target, close }: { target: Target; close: () => void }) {
  const [kind, setKind] = useState<Kind>(target.price?.kind ?? "list");
  const [priceId, setPriceId] = useState("");
  const [usd, setUsd] = useState<number | string>(target.price ? Number(target.price.usd_per_hour) : "");
  const [note, setNote] = useState(target.price?.note ?? "");
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: () =>
      api.targetPriceSet(
        target.id,
        kind === "list"
          ? { kind, price_id: priceId }
          : { kind, usd_per_hour: String(usd), ...(note.trim() ? { note: note.trim() } : {}) },
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["targets"] });
      close();
    },
  });
  const ready = kind === "list" ? priceId !== "" : Number(usd) > 0;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) mutation.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <SegmentedControl
        fullWidth
        aria-label="Where the price comes from"
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        data={[
          { value: "list", label: "Price book" },
          { value: "manual", label: "By hand" },
          { value: "stand_in", label: "Stand-in" },
        ]}
      />
      <p className="dim">{ABOUT[kind]}</p>
      {kind === "list" ? (
        <Pick chosen={priceId} onChoose={setPriceId} />
      ) : (
        <>
          <NumberInput
            label="US dollars per hour"
            min={0}
            decimalScale={6}
            value={usd}
            onChange={setUsd}
            data-autofocus
          />
          <TextInput
            mt={12}
            label="Note"
            description="Optional: where the figure comes from"
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </>
      )}
      {mutation.isError && <ErrorNote error={mutation.error} />}
      <Group justify="flex-end" mt={16}>
        <Button variant="default" onClick={close}>
          Keep as it is
        </Button>
        <Button type="submit" disabled={!ready} loading={mutation.isPending}>
          Set the price
        </Button>
      </Group>
    </form>
  );
}

export function PriceDialog({ target, close }: { target: Target | null; close: () => void }) {
  return (
    <Modal opened={target !== null} onClose={close} title={target ? `Price of ${target.name}` : ""} size="lg">
      {target && <Form key={target.id} target={target} close={close} />}
    </Modal>
  );
}
