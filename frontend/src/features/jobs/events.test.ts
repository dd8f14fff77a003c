import { expect, it } from "vitest";
import type { JobEvent } from "@/api/types";
import { appended, KEPT, logLines } from "./events";

const event = (seq: number, kind: JobEvent["kind"] = "log", message = `line ${seq}`): JobEvent => ({
  seq,
  at: "2026-01-01T00:00:00Z",
  kind,
  stage: "measure",
  message,
  data: {},
  attempt: 1,
});
const numbers = (list: readonly JobEvent[]) => list.map((item) => item.seq);

it("takes a line that comes twice, as after a broken connection, once", () => {
  expect(numbers(appended([event(1), event(2)], [event(2), event(3)]))).toEqual([1, 2, 3]);
});

it("keeps the newest lines of a long log", () => {
  const many = Array.from({ length: KEPT }, (_, index) => event(index + 1));
  const log = appended(many, [event(KEPT + 1)]);
  expect(log).toHaveLength(KEPT);
  expect(log.at(-1)?.seq).toBe(KEPT + 1);
  expect(log[0]?.seq).toBe(2);
});

it("leaves progress and empty messages out of the log", () => {
  expect(numbers(logLines([event(1), event(2, "progress"), event(3, "state", "")]))).toEqual([1]);
});
