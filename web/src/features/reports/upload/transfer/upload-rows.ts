import { createStore } from '../../../../lib/browser/store.ts';
import { nameKey, type Upload } from './upload.ts';

export interface UploadsState {
  readonly uploads: readonly Upload[];
  /** The check for existing names is running. */
  readonly checking: boolean;
  /** The API cannot be reached: the files that wait are sent when it answers again. */
  readonly isConnectionLost: boolean;
}

/** Names are compared without case (spec 4, Upload result action). */
export const keyOf = ({ file }: Pick<Upload, 'file'>): string => nameKey(file.name);

/** Uploads from which on listeners are notified at intervals: rendering after each change would block the page. */
const manyUploads = 50;

/** Milliseconds for which changes of many uploads are gathered. */
const gatherMs = 100;

/** The list of uploads; listeners are notified after each change, of many uploads at intervals. */
export function createUploadRows() {
  const store = createStore<UploadsState>({ uploads: [], checking: false, isConnectionLost: false });
  const set = (change: Partial<UploadsState>) => store.set({ ...store.get(), ...change });

  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function notify(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const listener of listeners) listener();
  }
  store.subscribe(() => {
    if (store.get().uploads.length < manyUploads) notify();
    else timer ??= setTimeout(notify, gatherMs);
  });

  function patch(change: (upload: Upload) => Partial<Upload> | null): void {
    const uploads: Upload[] = [];
    for (const upload of store.get().uploads) {
      const changes = change(upload);
      uploads.push(changes === null ? upload : { ...upload, ...changes });
    }
    set({ uploads });
  }

  return {
    get: store.get,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    all: (): readonly Upload[] => store.get().uploads,
    setChecking: (checking: boolean) => set({ checking }),
    setConnectionLost: (isConnectionLost: boolean) => set({ isConnectionLost }),
    /** Changes every upload for which `change` returns a value. */
    patch,
    patchOne: (id: number, changes: Partial<Upload>) =>
      patch((upload) => (upload.id === id ? changes : null)),
    add: (added: readonly Upload[]) => set({ uploads: [...store.get().uploads, ...added] }),
    keepOnly: (isKept: (upload: Upload) => boolean) => set({ uploads: store.get().uploads.filter(isKept) }),
  };
}
