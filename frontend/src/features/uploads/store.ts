/** What a reload must not lose: which file belongs to which upload, and whether the user paused it. */
export interface StoredUpload {
  id: string;
  file: File;
  paused: boolean;
}

export interface UploadStore {
  all(): Promise<StoredUpload[]>;
  put(record: StoredUpload): Promise<void>;
  remove(id: string): Promise<void>;
}

const DATABASE = "whetstone-uploads";
const TABLE = "files";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within<T>(
  mode: IDBTransactionMode,
  act: (table: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(TABLE, mode);
      const request = act(transaction.objectStore(TABLE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export const indexedDbStore: UploadStore = {
  all: () => within<StoredUpload[]>("readonly", (table) => table.getAll()),
  put: (record) => within("readwrite", (table) => table.put(record)).then(() => undefined),
  remove: (id) => within("readwrite", (table) => table.delete(id)).then(() => undefined),
};
