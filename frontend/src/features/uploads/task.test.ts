import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/problem";
import type { SignedPart, Upload } from "@/api/types";
import { type Deps, type Phase, UploadTask } from "./task";
import { PartRefused } from "./transfer";

const PART = 4;

/** A server with one upload: it keeps the parts it is sent, and says which it has. */
function server(size: number, received: number[] = []) {
  const have = new Set(received);
  let state: Upload["state"] = "receiving";
  let asked = 0;
  const view = (): Upload => ({
    id: "upl_1",
    state,
    purpose: "model",
    filename: "model.onnx",
    size_bytes: size,
    sha256: "digest",
    part_size: PART,
    part_count: Math.ceil(size / PART),
    received_parts: [...have],
    received_bytes: 0,
    expires_at: "",
    created_at: "",
    model_id: null,
    version_id: state === "completed" ? "ver_1" : null,
    dataset_id: null,
  });
  const refusal = (code: string, status: number) =>
    new ApiError({ code, status, title: "", detail: code, hint: "", requestId: "", errors: [] });
  return {
    have,
    view,
    asked: () => asked,
    refusal,
    api: {
      upload: async () => view(),
      uploadCreate: async () => view(),
      uploadParts: async (_id: string, numbers: number[]) => {
        asked += 1;
        return {
          parts: numbers.map((n) => ({
            part_number: n,
            url: `/files/${asked}-${n}`,
            method: "PUT",
            headers: {},
          })),
        };
      },
      uploadComplete: async () => {
        if (have.size < view().part_count) throw refusal("PARTS_MISSING", 422);
        state = "completed";
        return view();
      },
      uploadAbort: async () => undefined,
    },
  };
}

type Server = ReturnType<typeof server>;
type Put = (part: SignedPart, body: Blob, signal: AbortSignal) => Promise<void>;

function deps(remote: Server, put: Put, sleeps: number[] = []): Deps {
  return {
    api: remote.api,
    store: { all: async () => [], put: async () => undefined, remove: async () => undefined },
    hashFile: async () => "digest",
    putPart: (part, body, _progress, signal) => put(part, body, signal),
    sleep: async (ms) => void sleeps.push(ms),
    now: () => 0,
  };
}

const file = (size: number) => new File(["x".repeat(size)], "model.onnx");
const reached = (task: UploadTask, phase: Phase) =>
  vi.waitFor(() => expect(task.snapshot().phase).toBe(phase), { timeout: 2_000 });

describe("an upload", () => {
  it("sends every part once, the last one short", async () => {
    const remote = server(10);
    const sizes: [number, number][] = [];
    const task = UploadTask.fresh(
      deps(remote, async (part, body) => {
        sizes.push([part.part_number, body.size]);
        remote.have.add(part.part_number);
      }),
      () => undefined,
      file(10),
    );
    await reached(task, "done");
    expect(sizes.sort()).toEqual([
      [1, 4],
      [2, 4],
      [3, 2],
    ]);
    expect(task.snapshot().upload?.version_id).toBe("ver_1");
  });

  it("after a reload sends only the parts that the server lacks", async () => {
    const remote = server(16, [1, 3]);
    const sent: number[] = [];
    const put: Put = async (part) => {
      sent.push(part.part_number);
      remote.have.add(part.part_number);
    };
    const task = UploadTask.found(deps(remote, put), () => undefined, remote.view(), file(16), false);
    await reached(task, "done");
    expect(sent.sort()).toEqual([2, 4]);
  });

  it("tries a part again after a broken connection, with growing waits", async () => {
    const remote = server(4);
    const sleeps: number[] = [];
    let tries = 0;
    const put: Put = async (part) => {
      tries += 1;
      if (tries < 4) throw new PartRefused(0);
      remote.have.add(part.part_number);
    };
    const task = UploadTask.fresh(deps(remote, put, sleeps), () => undefined, file(4));
    await reached(task, "done");
    expect(tries).toBe(4);
    expect(sleeps).toHaveLength(3);
    expect(sleeps[2]).toBeGreaterThan(sleeps[0] ?? Number.POSITIVE_INFINITY);
  });

  it("asks for a new address when the old one has expired, and does not wait for it", async () => {
    const remote = server(4);
    const sleeps: number[] = [];
    const urls: string[] = [];
    const put: Put = async (part) => {
      urls.push(part.url);
      if (urls.length === 1) throw new PartRefused(403);
      remote.have.add(part.part_number);
    };
    const task = UploadTask.fresh(deps(remote, put, sleeps), () => undefined, file(4));
    await reached(task, "done");
    expect(urls).toEqual(["/files/1-1", "/files/2-1"]);
    expect(sleeps).toEqual([0]);
  });

  it("stops sending when paused, keeps what arrived, and carries on when resumed", async () => {
    const remote = server(16);
    let stuck = true;
    const put: Put = (part, _body, signal) => {
      if (part.part_number === 1 || !stuck) {
        remote.have.add(part.part_number);
        return Promise.resolve();
      }
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError"))),
      );
    };
    const task = UploadTask.fresh(deps(remote, put), () => undefined, file(16));
    await vi.waitFor(() => expect(task.snapshot().sent).toBe(4));
    task.pause();
    expect(task.snapshot().phase).toBe("paused");
    expect(task.snapshot().error).toBeNull();
    stuck = false;
    task.resume();
    await reached(task, "done");
    expect([...remote.have].sort()).toEqual([1, 2, 3, 4]);
  });

  it("sends a part again that the server lost before completing", async () => {
    const remote = server(8);
    let lost = false;
    const put: Put = async (part) => {
      if (part.part_number === 2 && !lost) lost = true;
      else remote.have.add(part.part_number);
    };
    const task = UploadTask.fresh(deps(remote, put), () => undefined, file(8));
    await reached(task, "done");
    expect([...remote.have].sort()).toEqual([1, 2]);
  });

  it("fails at once on a refusal that no retry can change", async () => {
    const remote = server(4);
    const sleeps: number[] = [];
    remote.api.uploadComplete = async () => {
      throw remote.refusal("SIZE_MISMATCH", 422);
    };
    const put: Put = async (part) => void remote.have.add(part.part_number);
    const task = UploadTask.fresh(deps(remote, put, sleeps), () => undefined, file(4));
    await reached(task, "failed");
    expect(sleeps).toEqual([]);
    expect(task.snapshot().error).toMatchObject({ code: "SIZE_MISMATCH" });
  });

  it("refuses another file in the place of the one it began with", async () => {
    const remote = server(16, [1]);
    const put: Put = async () => undefined;
    const task = UploadTask.found(deps(remote, put), () => undefined, remote.view(), null, false);
    expect(task.snapshot().phase).toBe("file_needed");
    expect(await task.offer(file(15))).toBe(false);
    expect(task.snapshot().phase).toBe("file_needed");
    expect(String(task.snapshot().error)).toContain("another file");
  });
});
