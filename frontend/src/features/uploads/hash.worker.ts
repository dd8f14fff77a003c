import { createSHA256 } from "hash-wasm";

export type HashReply = { hashed: number } | { digest: string } | { error: string };

const CHUNK = 8 * 1024 * 1024;
const post = (reply: HashReply) => self.postMessage(reply);

self.onmessage = async (event: MessageEvent<Blob>) => {
  try {
    const blob = event.data;
    const sha = await createSHA256();
    for (let offset = 0; offset < blob.size; offset += CHUNK) {
      const chunk = await blob.slice(offset, offset + CHUNK).arrayBuffer();
      sha.update(new Uint8Array(chunk));
      post({ hashed: Math.min(offset + CHUNK, blob.size) });
    }
    post({ digest: sha.digest("hex") });
  } catch (error) {
    post({ error: error instanceof Error ? error.message : String(error) });
  }
};
