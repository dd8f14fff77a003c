/** What an upload task needs of the world, and what it shows of itself. */
import type { SignedPart, Upload } from "@/api/types";
import type { UploadStore } from "./store";

export type Phase =
  | "hashing"
  | "starting"
  | "sending"
  | "paused"
  | "completing"
  | "done"
  | "failed"
  | "file_needed"
  | "elsewhere"
  | "cancelled";

export interface UploadApi {
  upload(id: string): Promise<Upload>;
  uploadCreate(body: {
    filename: string;
    size_bytes: number;
    sha256: string;
    model_name?: string;
  }): Promise<Upload>;
  uploadParts(id: string, numbers: number[]): Promise<{ parts: SignedPart[] }>;
  uploadComplete(id: string): Promise<Upload>;
  uploadAbort(id: string): Promise<unknown>;
}

export interface Deps {
  api: UploadApi;
  store: UploadStore;
  hashFile(file: Blob, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<string>;
  putPart(
    part: SignedPart,
    body: Blob,
    onProgress: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

export interface Snapshot {
  key: string;
  filename: string;
  size: number;
  phase: Phase;
  hashed: number;
  sent: number;
  rate: number | null;
  secondsLeft: number | null;
  error: unknown;
  upload: Upload | null;
}
