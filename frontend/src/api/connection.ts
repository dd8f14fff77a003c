import { useSyncExternalStore } from "react";

/** Whether the last request reached the server. Every request reports here; the banner reads it. */
let away = false;
const listeners = new Set<() => void>();

export function connectionSet(isAway: boolean): void {
  if (away === isAway) return;
  away = isAway;
  for (const listener of listeners) listener();
}

export function connectionSubscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useServerAway = (): boolean => useSyncExternalStore(connectionSubscribe, () => away);
