/** The two things an upload does with bytes: hash them in a worker, and PUT a part with progress. */
import type { SignedPart } from "@/api/types";
import type { HashReply } from "./hash.worker";

export class PartRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(
      status === 0 ? "The connection broke while a part was sent." : `A part was refused (HTTP ${status}).`,
    );
    this.name = "PartRefused";
    this.status = status;
  }
}

const aborted = () => new DOMException("Aborted", "AbortError");

export function hashFile(
  file: Blob,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./hash.worker.ts", import.meta.url), { type: "module" });
    const end = (settle: () => void) => {
      worker.terminate();
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(aborted()));
    signal.addEventListener("abort", onAbort);
    worker.onmessage = ({ data }: MessageEvent<HashReply>) => {
      if ("hashed" in data) onProgress(data.hashed);
      else if ("digest" in data) end(() => resolve(data.digest));
      else end(() => reject(new Error(`The file cannot be read: ${data.error}`)));
    };
    worker.onerror = (event) => end(() => reject(new Error(event.message || "The file cannot be hashed.")));
    worker.postMessage(file);
  });
}

/** XMLHttpRequest, because fetch reports no progress of what it sends. */
export function putPart(
  part: SignedPart,
  body: Blob,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(part.method || "PUT", part.url);
    for (const [name, value] of Object.entries(part.headers ?? {})) xhr.setRequestHeader(name, value);
    const onAbort = () => xhr.abort();
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    xhr.upload.onprogress = (event) => onProgress(event.loaded);
    xhr.onload = () =>
      end(() => (xhr.status >= 200 && xhr.status < 300 ? resolve() : reject(new PartRefused(xhr.status))));
    xhr.onerror = () => end(() => reject(new PartRefused(0)));
    xhr.ontimeout = () => end(() => reject(new PartRefused(0)));
    xhr.onabort = () => end(() => reject(aborted()));
    xhr.timeout = 300_000;
    if (signal.aborted) return end(() => reject(aborted()));
    signal.addEventListener("abort", onAbort);
    xhr.send(body);
  });
}
