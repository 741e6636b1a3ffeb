import type { ExtractKind } from '@riskboard/contract';
import { createStore } from '../../../lib/browser/store.ts';
import { SendFailure, type SendOptions } from './send-report.ts';
import {
  isOpen,
  isReplaceable,
  isRetryable,
  nameKey,
  refusalOf,
  type Upload,
  type UploadReply,
} from './upload.ts';

/** More than three parallel uploads are no faster on one connection and delay the other calls of the page. */
export const uploadsAtOnce = 3;

/** Longest pause that a `Retry-After` may impose before the next try, in milliseconds. */
const longestPauseMs = 60_000;

/** Timers may fire early; the pause must be over when they do. */
const timerSlackMs = 20;

/** Dependencies of the manager. */
export interface UploadPorts {
  /** Sends one file; rejects with `SendFailure`, or with the signal's reason when cancelled. */
  send(file: File, options: SendOptions): Promise<UploadReply>;
  /** Returns those of the names that exist on the server, ignoring case. */
  existing(names: readonly string[]): Promise<readonly string[]>;
  checkFailed(error: unknown): void;
  stored(reply: UploadReply): void;
  /** Called when no upload is open any longer, with the uploads that ended since the last call. */
  settled(batch: readonly Upload[]): void;
}

export interface UploadsState {
  readonly uploads: readonly Upload[];
  /** The check for existing names is running. */
  readonly checking: boolean;
}

export type ClashAnswer = 'replace' | 'keep';

const keyOf = ({ file }: Pick<Upload, 'file'>): string => nameKey(file.name);

/** Runs uploads, `uploadsAtOnce` at a time, independently of the open page or dialog. */
export function createUploadManager(ports: UploadPorts) {
  const store = createStore<UploadsState>({ uploads: [], checking: false });
  let nextId = 1;
  let owner: string | undefined;
  let pausedUntil = 0;
  let tooLargeFrom = Number.POSITIVE_INFINITY;
  let tooLargeReason = '';
  const ended = new Set<number>();
  const sending = new Map<number, { key: string; abort: AbortController }>();

  const set = (change: Partial<UploadsState>) => store.set({ ...store.get(), ...change });

  function patch(change: (upload: Upload) => Partial<Upload> | null): void {
    const uploads: Upload[] = [];
    for (const upload of store.get().uploads) {
      const changes = change(upload);
      uploads.push(changes === null ? upload : { ...upload, ...changes });
    }
    set({ uploads });
  }

  const patchOne = (id: number, changes: Partial<Upload>) =>
    patch((upload) => (upload.id === id ? changes : null));

  /** Adds files to the list. A name that failed, was cancelled or kept gets the new file. */
  function add(files: readonly File[]): void {
    const added: Upload[] = [];
    for (const file of files) {
      const reason = refusalOf(file, { tooLargeFrom, tooLargeReason });
      const upload = { id: nextId, file, sent: 0, reason, extract: [], reply: null };
      added.push({ ...upload, state: reason === null ? 'chosen' : 'refused' });
      nextId += 1;
    }
    const names = new Set(added.filter(({ reason }) => reason === null).map(keyOf));
    const kept = store.get().uploads.filter((one) => !isReplaceable(one) || !names.has(keyOf(one)));
    set({ uploads: [...kept, ...added] });
  }

  /**
   * Checks which names exist, then sends every chosen file (spec 4, Upload result action). A name that an earlier file
   * of the list will have created by then exists too.
   */
  async function start(extract: readonly ExtractKind[]): Promise<void> {
    const chosen = store.get().uploads.filter((upload) => upload.state === 'chosen');
    if (chosen.length === 0 || store.get().checking) return;
    set({ checking: true });
    try {
      const existing = new Set((await ports.existing(chosen.map((upload) => upload.file.name))).map(nameKey));
      const ids = new Set(chosen.map((upload) => upload.id));
      for (const upload of store.get().uploads) if (isOpen(upload)) existing.add(keyOf(upload));
      patch((upload) => {
        if (!ids.has(upload.id) || upload.state !== 'chosen') return null;
        const state = existing.has(keyOf(upload)) ? 'clash' : 'waiting';
        existing.add(keyOf(upload));
        return { extract, state };
      });
    } catch (error) {
      ports.checkFailed(error);
    } finally {
      set({ checking: false });
    }
    pump();
  }

  /** Answers the overwrite question for one file, or for all files with a name clash. */
  function answer(id: number, decision: ClashAnswer, applyToAll: boolean): void {
    patch((upload) => {
      if (upload.state !== 'clash' || (!applyToAll && upload.id !== id)) return null;
      ended.add(upload.id);
      return { state: decision === 'replace' ? 'waiting' : 'kept' };
    });
    pump();
  }

  function pump(): void {
    if (performance.now() < pausedUntil) return;
    for (const upload of store.get().uploads) {
      if (sending.size >= uploadsAtOnce) return;
      if (upload.state === 'waiting' && !isNameBeingSent(upload)) void run(upload);
    }
    settle();
  }

  /** Two files of one name are sent one after the other, so that the one that replaces arrives last. */
  const isNameBeingSent = (upload: Upload): boolean =>
    [...sending.values()].some(({ key }) => key === keyOf(upload));

  function settle(): void {
    if (ended.size === 0) return;
    if (store.get().uploads.some((upload) => isOpen(upload) || upload.state === 'clash')) return;
    const batch = store.get().uploads.filter((upload) => ended.has(upload.id));
    ended.clear();
    ports.settled(batch);
  }

  async function run(upload: Upload): Promise<void> {
    const abort = new AbortController();
    sending.set(upload.id, { key: keyOf(upload), abort });
    patchOne(upload.id, { state: 'sending', sent: 0, reason: null });
    try {
      const reply = await ports.send(upload.file, {
        extract: upload.extract,
        signal: abort.signal,
        onSent: (sent) => patchOne(upload.id, { sent: Math.min(sent, upload.file.size) }),
      });
      ended.add(upload.id);
      patchOne(upload.id, { state: 'stored', sent: upload.file.size, reply });
      ports.stored(reply);
    } catch (error) {
      if (!abort.signal.aborted) failed(upload, error);
    } finally {
      sending.delete(upload.id);
      pump();
    }
  }

  function failed(upload: Upload, error: unknown): void {
    const reason = error instanceof Error ? error.message : 'Please try again.';
    if (error instanceof SendFailure && error.retryAfterMs !== null) {
      pause(Math.min(error.retryAfterMs, longestPauseMs));
      patchOne(upload.id, { state: 'waiting', sent: 0, reason });
      return;
    }
    ended.add(upload.id);
    patchOne(upload.id, { state: 'failed', reason });
    if (error instanceof SendFailure && error.status === 413) refuseLargerThan(upload.file.size, reason);
  }

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    setTimeout(pump, ms + timerSlackMs);
  }

  /** After a 413, files of at least that size are refused without sending them. */
  function refuseLargerThan(size: number, reason: string): void {
    tooLargeFrom = Math.min(tooLargeFrom, size);
    tooLargeReason = reason;
    patch((upload) => {
      const pending = upload.state === 'waiting' || upload.state === 'chosen' || upload.state === 'clash';
      if (!pending || upload.file.size < tooLargeFrom) return null;
      return { state: 'refused', reason };
    });
  }

  function cancel(id: number): void {
    cancelWhere((upload) => upload.id === id);
  }

  function cancelAll(): void {
    cancelWhere(() => true);
  }

  function cancelWhere(matches: (upload: Upload) => boolean): void {
    const ids = new Set(
      store
        .get()
        .uploads.filter((upload) => matches(upload) && (isOpen(upload) || upload.state === 'clash'))
        .map((upload) => upload.id),
    );
    for (const id of ids) ended.add(id);
    patch((upload) => (ids.has(upload.id) ? { state: 'cancelled', sent: 0, reason: null } : null));
    for (const id of ids) sending.get(id)?.abort.abort();
    pump();
  }

  function retry(id: number): void {
    patch((upload) =>
      upload.id === id && isRetryable(upload) ? { state: 'waiting', sent: 0, reason: null } : null,
    );
    pump();
  }

  function retryAll(): void {
    patch((upload) => (upload.state === 'failed' ? { state: 'waiting', sent: 0, reason: null } : null));
    pump();
  }

  /** Removes a file from the list; an open upload is cancelled first. */
  function remove(id: number): void {
    cancel(id);
    set({ uploads: store.get().uploads.filter((upload) => upload.id !== id) });
  }

  /** Removes every file from the list that is neither being sent nor still to be sent. */
  function clearEnded(): void {
    set({
      uploads: store
        .get()
        .uploads.filter((upload) => isOpen(upload) || upload.state === 'chosen' || upload.state === 'clash'),
    });
  }

  /** The list belongs to one user in one organisation; another owner starts with an empty list. */
  function setOwner(next: string): void {
    if (owner === next) return;
    if (owner !== undefined) {
      cancelAll();
      set({ uploads: [] });
    }
    owner = next;
  }

  return {
    setOwner,
    add,
    start,
    answer,
    cancel,
    cancelAll,
    retry,
    retryAll,
    remove,
    clearEnded,
    get: store.get,
    subscribe: store.subscribe,
  };
}
