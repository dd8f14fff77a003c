/** One upload, from file to version.
 *
 *   hashing -> starting -> sending -> completing -> done
 *                 ^          |  ^
 *   file_needed --+          v  | resume
 *                          paused | failed | elsewhere (another tab sends it)
 *
 * It knows no React: the manager lists tasks, the components read their snapshots.
 */
import { ApiError } from "@/api/problem";
import type { SignedPart, Upload } from "@/api/types";
import type { Deps, Phase, Snapshot } from "./parts";
import { Rate } from "./rate";
import { PartRefused } from "./transfer";

export type { Deps, Phase, Snapshot, UploadApi } from "./parts";

export const LANES = 4;
const URL_BATCH = 16;
const TRIES = 7;
const URL_GONE = new Set([400, 401, 403, 404, 410]);

let nextKey = 0;

export class UploadTask {
  readonly key = `upload-${++nextKey}`;
  private phase: Phase = "starting";
  private hashed = 0;
  private error: unknown = null;
  private readonly received = new Set<number>();
  private readonly flying = new Map<number, number>();
  private readonly urls = new Map<number, SignedPart>();
  private urlRequest: Promise<void> | null = null;
  private moved = 0;
  private readonly rate = new Rate();
  private work = new AbortController();

  private constructor(
    private readonly deps: Deps,
    private readonly changed: () => void,
    private file: File | null,
    private upload: Upload | null,
    private readonly modelName?: string,
  ) {}

  /** A file the user just chose. */
  static fresh(deps: Deps, changed: () => void, file: File, modelName?: string): UploadTask {
    const task = new UploadTask(deps, changed, file, null, modelName);
    void task.begin(task.renew());
    return task;
  }

  /** An upload the server still waits for, met again after a reload. */
  static found(
    deps: Deps,
    changed: () => void,
    upload: Upload,
    file: File | null,
    paused: boolean,
  ): UploadTask {
    const task = new UploadTask(deps, changed, file, upload);
    for (const number of upload.received_parts) task.received.add(number);
    if (!file) task.phase = "file_needed";
    else if (paused) task.phase = "paused";
    else task.resume();
    return task;
  }

  snapshot(): Snapshot {
    const size = this.upload?.size_bytes ?? this.file?.size ?? 0;
    const sent = this.phase === "done" ? size : Math.min(size, this.sentBytes());
    const rate = this.phase === "sending" ? this.rate.perSecond() : null;
    return {
      key: this.key,
      filename: this.upload?.filename ?? this.file?.name ?? "",
      size,
      phase: this.phase,
      hashed: this.hashed,
      sent,
      rate,
      secondsLeft: rate ? (size - sent) / rate : null,
      error: this.error,
      upload: this.upload,
    };
  }

  pause(): void {
    if (this.phase !== "sending" && this.phase !== "hashing" && this.phase !== "elsewhere") return;
    this.stop("paused");
    this.remember(true);
  }

  resume(): void {
    if (this.phase === "done" || this.phase === "cancelled" || !this.file) return;
    const signal = this.renew();
    if (!this.upload) {
      void this.begin(signal);
      return;
    }
    this.remember(false);
    void this.send(signal);
  }

  async cancel(): Promise<void> {
    this.stop("cancelled");
    if (!this.upload) return;
    const { id } = this.upload;
    await this.deps.store.remove(id).catch(() => undefined);
    await this.deps.api.uploadAbort(id).catch((error: unknown) => {
      // Gone already is what was asked for.
      if (!(error instanceof ApiError && (error.status === 404 || error.status === 409))) throw error;
    });
  }

  /** The same file again, after the browser lost it. It must be byte for byte the one begun with. */
  async offer(file: File): Promise<boolean> {
    const { upload } = this;
    if (!upload || this.phase === "done") return false;
    if (file.name !== upload.filename || file.size !== upload.size_bytes) {
      this.fail(
        "file_needed",
        new Error(`Choose ${upload.filename} of ${upload.size_bytes} bytes: this is another file.`),
      );
      return false;
    }
    const signal = this.renew();
    try {
      const digest = await this.hash(file, signal);
      if (digest !== upload.sha256) {
        const why = `${file.name} has changed since this upload began. Cancel it and upload the new file.`;
        this.fail("file_needed", new Error(why));
        return false;
      }
    } catch (error) {
      if (!signal.aborted) this.fail("file_needed", error);
      return false;
    }
    this.file = file;
    this.resume();
    return true;
  }

  wants(file: File): boolean {
    return (
      this.phase === "file_needed" &&
      this.upload?.filename === file.name &&
      this.upload.size_bytes === file.size
    );
  }

  private set(phase: Phase): void {
    this.phase = phase;
    this.changed();
  }

  private fail(phase: Phase, error: unknown): void {
    this.error = error;
    this.set(phase);
  }

  private renew(): AbortSignal {
    this.work.abort();
    this.work = new AbortController();
    this.error = null;
    this.rate.clear();
    this.flying.clear();
    return this.work.signal;
  }

  private stop(phase: Phase): void {
    this.work.abort();
    this.flying.clear();
    this.set(phase);
  }

  private remember(paused: boolean): void {
    if (!this.file || !this.upload) return;
    // A full disk or a private window only costs the comfort of not choosing the file again.
    void this.deps.store.put({ id: this.upload.id, file: this.file, paused }).catch(() => undefined);
  }

  private async hash(file: File, signal: AbortSignal): Promise<string> {
    this.hashed = 0;
    this.set("hashing");
    return this.deps.hashFile(
      file,
      (bytes) => {
        this.hashed = bytes;
        this.changed();
      },
      signal,
    );
  }

  private async begin(signal: AbortSignal): Promise<void> {
    const { file } = this;
    if (!file) return;
    try {
      const sha256 = await this.hash(file, signal);
      this.set("starting");
      const body = { filename: file.name, size_bytes: file.size, sha256 };
      this.upload = await this.deps.api.uploadCreate(
        this.modelName ? { ...body, model_name: this.modelName } : body,
      );
    } catch (error) {
      if (!signal.aborted) this.fail("failed", error);
      return;
    }
    this.remember(false);
    if (!signal.aborted) await this.send(signal);
  }

  private async send(signal: AbortSignal): Promise<void> {
    const id = this.upload?.id ?? "";
    try {
      await withLock(
        `whetstone-upload-${id}`,
        signal,
        () => this.set("elsewhere"),
        () => this.transfer(id, signal),
      );
    } catch (error) {
      if (signal.aborted) return;
      this.work.abort();
      this.flying.clear();
      this.fail("failed", error);
    }
  }

  private async transfer(id: string, signal: AbortSignal): Promise<void> {
    this.set("sending");
    // The server's list of parts is the truth; a second pass sends what it says is missing.
    for (let pass = 0; ; pass += 1) {
      const upload = await this.persist(signal, () => this.deps.api.upload(id));
      this.upload = upload;
      if (upload.state !== "receiving") break;
      this.received.clear();
      for (const number of upload.received_parts) this.received.add(number);
      const missing = range(upload.part_count).filter((number) => !this.received.has(number));
      await Promise.all(Array.from({ length: LANES }, () => this.lane(missing, signal)));
      signal.throwIfAborted();
      this.set("completing");
      try {
        this.upload = await this.persist(signal, () => this.deps.api.uploadComplete(id));
        break;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "PARTS_MISSING") || pass >= 2) throw error;
        this.set("sending");
      }
    }
    await this.deps.store.remove(id).catch(() => undefined);
    if (this.upload?.state === "completed") this.set("done");
    else this.fail("failed", new Error("This upload ended before all of it arrived. Upload the file again."));
  }

  private async lane(missing: number[], signal: AbortSignal): Promise<void> {
    for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
      await this.sendPart(number, missing, signal);
      signal.throwIfAborted();
    }
  }

  private async sendPart(number: number, ahead: readonly number[], signal: AbortSignal): Promise<void> {
    const body = this.slice(number);
    await this.persist(signal, async () => {
      const part = await this.urlFor(number, ahead);
      let before = 0;
      try {
        await this.deps.putPart(
          part,
          body,
          (bytes) => {
            this.moved += Math.max(0, bytes - before);
            before = bytes;
            this.flying.set(number, bytes);
            this.tick();
          },
          signal,
        );
      } catch (error) {
        this.flying.delete(number);
        // An address that is no longer good: its neighbours are as old, so all are asked for again.
        if (error instanceof PartRefused && URL_GONE.has(error.status)) this.urls.clear();
        throw error;
      }
      this.flying.delete(number);
      this.urls.delete(number);
      this.received.add(number);
      this.tick();
    });
  }

  /** Run `act` until it works: waits grow, with jitter; only a refusal that cannot change ends it. */
  private async persist<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        signal.throwIfAborted();
        return await act();
      } catch (error) {
        if (signal.aborted || tries >= TRIES || !worthRetrying(error)) throw error;
        const expired = error instanceof PartRefused && URL_GONE.has(error.status);
        const wait = expired && tries === 1 ? 0 : Math.min(20_000, 400 * 2 ** (tries - 1));
        await this.deps.sleep(wait * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  private async urlFor(number: number, ahead: readonly number[]): Promise<SignedPart> {
    for (;;) {
      const known = this.urls.get(number);
      if (known) return known;
      if (this.urlRequest) await this.urlRequest;
      else await this.askUrls(number, ahead);
    }
  }

  private async askUrls(number: number, ahead: readonly number[]): Promise<void> {
    const numbers = [number, ...ahead.filter((n) => !this.urls.has(n)).slice(0, URL_BATCH - 1)];
    const request = this.deps.api.uploadParts(this.upload?.id ?? "", numbers).then(({ parts }) => {
      for (const part of parts) this.urls.set(part.part_number, part);
      if (!this.urls.has(number)) throw new Error(`The server gave no address for part ${number}.`);
    });
    this.urlRequest = request;
    try {
      await request;
    } finally {
      this.urlRequest = null;
    }
  }

  private slice(number: number): Blob {
    const { file, upload } = this;
    if (!file || !upload) throw new Error("There is no file to send.");
    const start = (number - 1) * upload.part_size;
    return file.slice(start, Math.min(start + upload.part_size, upload.size_bytes));
  }

  private sentBytes(): number {
    const { upload } = this;
    if (!upload) return 0;
    let sent = 0;
    for (const number of this.received) {
      sent +=
        number === upload.part_count ? upload.size_bytes - (number - 1) * upload.part_size : upload.part_size;
    }
    for (const bytes of this.flying.values()) sent += bytes;
    return sent;
  }

  private tick(): void {
    this.rate.add(this.deps.now(), this.moved);
    this.changed();
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function worthRetrying(error: unknown): boolean {
  if (error instanceof PartRefused)
    return error.status === 0 || error.status >= 429 || URL_GONE.has(error.status) || error.status === 408;
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return !(error instanceof DOMException);
}

/** One tab sends an upload at a time; a second one waits its turn and carries on when the first is closed. */
async function withLock(
  name: string,
  signal: AbortSignal,
  onWait: () => void,
  act: () => Promise<void>,
): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return act();
  const ran = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await act();
    return true;
  });
  if (ran) return;
  onWait();
  await locks.request(name, { signal }, act);
}
