import { useSyncExternalStore } from "react";
import * as api from "@/api/endpoints";
import type { Upload } from "@/api/types";
import { indexedDbStore } from "./store";
import { type Deps, type Snapshot, UploadTask } from "./task";
import { hashFile, putPart } from "./transfer";

const TICK_MS = 120;

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException("Aborted", "AbortError"));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const wake = () => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    // Without a network there is nothing to try: wait until there is one, then go at once.
    if (navigator.onLine === false) window.addEventListener("online", wake, { once: true });
    else setTimeout(wake, ms);
  });
}

/** All uploads of this tab. Lives outside the router, so that going to another page stops nothing. */
export class UploadManager {
  private tasks: UploadTask[] = [];
  private snapshots: readonly Snapshot[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly finished = new Set<(upload: Upload) => void>();
  private readonly told = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private restored = false;

  constructor(private readonly deps: Deps) {
    if (typeof window !== "undefined") window.addEventListener("beforeunload", this.guard);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getSnapshot = (): readonly Snapshot[] => this.snapshots;

  onFinished(listener: (upload: Upload) => void): () => void {
    this.finished.add(listener);
    return () => this.finished.delete(listener);
  }

  add(files: Iterable<File>, modelName?: string): void {
    for (const file of files) {
      const waiting = this.tasks.find((task) => task.wants(file));
      if (waiting) void waiting.offer(file);
      else this.tasks = [UploadTask.fresh(this.deps, this.changed, file, modelName), ...this.tasks];
    }
    this.publish();
  }

  /** Meet the uploads the server still waits for; once per signed-in page. */
  async restore(receiving: readonly Upload[]): Promise<void> {
    if (this.restored) return;
    this.restored = true;
    const stored = await this.deps.store.all().catch(() => []);
    const known = new Set(this.snapshots.map((s) => s.upload?.id));
    for (const upload of receiving) {
      if (known.has(upload.id)) continue;
      const record = stored.find((item) => item.id === upload.id);
      const task = UploadTask.found(
        this.deps,
        this.changed,
        upload,
        record?.file ?? null,
        record?.paused ?? false,
      );
      this.tasks = [...this.tasks, task];
    }
    const live = new Set(receiving.map((upload) => upload.id));
    for (const record of stored) {
      if (!live.has(record.id)) void this.deps.store.remove(record.id).catch(() => undefined);
    }
    this.publish();
  }

  /** At sign-out: nothing more is sent in this user's name. */
  forget(): void {
    for (const task of this.tasks) task.pause();
    this.tasks = [];
    this.restored = false;
    this.publish();
  }

  pause = (key: string): void => this.find(key)?.pause();
  resume = (key: string): void => this.find(key)?.resume();
  offer = (key: string, file: File): void => void this.find(key)?.offer(file);

  async cancel(key: string): Promise<void> {
    await this.find(key)?.cancel();
    this.dismiss(key);
  }

  dismiss = (key: string): void => {
    this.tasks = this.tasks.filter((task) => task.key !== key);
    this.publish();
  };

  private find(key: string): UploadTask | undefined {
    return this.tasks.find((task) => task.key === key);
  }

  private readonly changed = (): void => {
    if (this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.publish();
    }, TICK_MS);
  };

  private publish(): void {
    this.snapshots = this.tasks.map((task) => task.snapshot());
    for (const listener of this.listeners) listener();
    for (const { key, phase, upload } of this.snapshots) {
      if (phase !== "done" || !upload || this.told.has(key)) continue;
      this.told.add(key);
      for (const listener of this.finished) listener(upload);
    }
  }

  private readonly guard = (event: BeforeUnloadEvent): void => {
    if (this.snapshots.some((s) => s.phase === "sending" || s.phase === "completing")) event.preventDefault();
  };
}

export const uploadManager = new UploadManager({
  api,
  store: indexedDbStore,
  hashFile,
  putPart,
  sleep,
  now: () => performance.now(),
});

export const useUploads = (): readonly Snapshot[] =>
  useSyncExternalStore(uploadManager.subscribe, uploadManager.getSnapshot);
