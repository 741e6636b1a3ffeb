import type { ErrorCode, ExtractKind } from '@riskboard/contract';
import { isConnectionLoss, retryHelps, SendFailure } from '../../../../lib/api/send-file.ts';
import { batchFrom } from './batch-calls.ts';
import { createConnectionLosses, lossReason } from './connection-losses.ts';
import { sizeOf } from './file-size.ts';
import { lastOfNames } from './name-clashes.ts';
import type { SendOptions } from './send-report.ts';
import {
  isOpen,
  isReceived,
  isReplaceable,
  isRetryable,
  isUnanswered,
  type ReadEnd,
  refusalOf,
  totalsOf,
  type Upload,
  type UploadReply,
} from './upload.ts';
import { createUploadRows, keyOf } from './upload-rows.ts';

/** More than three parallel uploads are no faster on one connection and delay the other calls of the page. */
const uploadsAtOnce = 3;

/** Longest pause that a `Retry-After` may impose before the next try, in milliseconds. */
const longestPauseMs = 60_000;

/** Timers may fire early; the pause must be over when they do. */
const timerSlackMs = 20;

/** Dependencies of the manager. */
export interface UploadPorts {
  /** Sends one file; rejects with `SendFailure`, or with the signal's reason when cancelled. */
  send(file: File, options: SendOptions): Promise<UploadReply>;
  /** Returns the ids of the stored reports with these names, by `nameKey`. */
  existing(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether the API answers; never rejects. */
  isReachable(): Promise<boolean>;
  checkFailed(error: unknown): void;
  stored(reply: UploadReply): void;
  /** Waits until the report has been read; never rejects. */
  read(reply: UploadReply): Promise<ReadEnd>;
  /** Creates a batch for these files. @returns its id */
  openBatch(files: readonly File[]): Promise<string>;
  /** Sizes of the files that a batch has received, by `nameKey`. */
  received(batchId: string): Promise<ReadonlyMap<string, number>>;
  /** Called when no more files of a batch will be sent. */
  closeBatch(batchId: string): void;
  /** Called when no upload is open any longer, with the uploads that ended since the last call. */
  settled(batch: readonly Upload[]): void;
}

export type ClashAnswer = 'replace' | 'keep';

/** Runs uploads, `uploadsAtOnce` at a time, independently of the open page or dialog. */
export function createUploadManager(ports: UploadPorts) {
  const rows = createUploadRows();
  let nextId = 1;
  let pausedUntil = 0;
  let tooLargeFrom = Number.POSITIVE_INFINITY;
  let tooLargeReason = '';
  let isOpeningBatch = false;
  const ended = new Set<number>();
  /** Uploads that wait for their batch, which is created when the overwrite question about them is answered. */
  const held = new Set<number>();
  const closed = new Set<string>();
  const sending = new Map<number, { key: string; abort: AbortController }>();
  const losses = createConnectionLosses({ isReachable: ports.isReachable, onReturn: continueAfterLoss });

  /** Adds files to the list. A name that failed, was cancelled or kept gets the new file. */
  function add(files: readonly File[]): void {
    const added: Upload[] = [];
    for (const file of files) {
      const reason = refusalOf({ name: file.name, size: sizeOf(file) }, { tooLargeFrom, tooLargeReason });
      const upload = { id: nextId, file, sent: 0, reason, extract: [], reply: null, batchId: null };
      const state = reason === null ? 'chosen' : 'refused';
      added.push({ ...upload, state, canRetry: false, existingId: null });
      nextId += 1;
    }
    const names = new Set(added.filter(({ reason }) => reason === null).map(keyOf));
    rows.keepOnly((one) => !isReplaceable(one) || !names.has(keyOf(one)));
    rows.add(added);
  }

  /**
   * Checks which names exist, then sends the chosen files (spec 4, Upload result action). A name that an open upload has
   * exists too. Of several chosen files of one name only the last is sent: no failure or retry can then let an earlier one
   * replace it.
   * @param continued id of the batch that the files belong to; those that it has received are not sent again
   */
  async function start(extract: readonly ExtractKind[], continued?: string): Promise<void> {
    const chosen = rows.all().filter((upload) => upload.state === 'chosen');
    if (chosen.length === 0 || rows.get().checking || held.size > 0) return;
    rows.setChecking(true);
    try {
      const last = lastOfNames(chosen);
      const stored = await ports.existing(last.map((upload) => upload.file.name));
      const received = continued === undefined ? undefined : await ports.received(continued);
      // A name that a stored report or an open upload has.
      const taken = new Set([...stored.keys(), ...rows.all().filter(isOpen).map(keyOf)]);
      const clashing = new Set(last.filter((upload) => taken.has(keyOf(upload))).map(({ id }) => id));
      if (continued !== undefined) closed.delete(continued);
      const batchId = continued ?? null;
      const needsBatch = continued === undefined && last.length >= batchFrom;
      for (const { id } of needsBatch ? last : []) held.add(id);
      const ids = new Set(chosen.map((upload) => upload.id));
      const lastIds = new Set(last.map((upload) => upload.id));
      rows.patch((upload) => {
        if (!ids.has(upload.id) || upload.state !== 'chosen') return null;
        if (!lastIds.has(upload.id)) return { state: 'superseded' };
        if (isReceived(upload, received))
          return { state: 'kept', batchId, existingId: stored.get(keyOf(upload)) ?? null };
        const state = clashing.has(upload.id) ? 'clash' : 'waiting';
        return { extract, state, batchId, existingId: stored.get(keyOf(upload)) ?? null };
      });
    } catch (error) {
      ports.checkFailed(error);
    } finally {
      rows.setChecking(false);
    }
    pump();
  }

  /** Creates the batch of the files that are sent after the overwrite question, and sends them. */
  async function releaseHeld(): Promise<void> {
    const due = [...held];
    const sent = rows.all().filter(({ id, state }) => held.has(id) && state === 'waiting');
    const ids = new Set(sent.map(({ id }) => id));
    isOpeningBatch = true;
    try {
      const isBatch = sent.length >= batchFrom;
      const batchId = isBatch ? await ports.openBatch(sent.map(({ file }) => file)) : null;
      // All may have been cancelled meanwhile. After `drop` the batch belongs to another session.
      const isNeeded = rows.all().some(({ id, state }) => ids.has(id) && state === 'waiting');
      if (batchId !== null && !isNeeded && due.some((id) => held.has(id))) ports.closeBatch(batchId);
      rows.patch(({ id, state }) => (ids.has(id) && state === 'waiting' ? { batchId } : null));
    } catch (error) {
      ports.checkFailed(error);
      rows.patch(({ id, state }) => (ids.has(id) && state === 'waiting' ? { state: 'chosen' } : null));
    } finally {
      isOpeningBatch = false;
      for (const id of due) held.delete(id);
    }
    pump();
  }

  /** Whether files wait for their batch, and the overwrite question about them has been answered. */
  const isBatchDue = (): boolean =>
    held.size > 0 &&
    !isOpeningBatch &&
    !rows.all().some(({ id, state }) => state === 'clash' && held.has(id));

  /** Answers the overwrite question for one file, or for all files with a name clash. */
  function answer(id: number, decision: ClashAnswer, applyToAll: boolean): void {
    rows.patch((upload) => {
      if (upload.state !== 'clash' || (!applyToAll && upload.id !== id)) return null;
      ended.add(upload.id);
      return { state: decision === 'replace' ? 'waiting' : 'kept' };
    });
    pump();
  }

  function pump(): void {
    if (rows.get().isConnectionLost && !rows.all().some(isOpen)) connectionIsBack();
    const isPaused = rows.get().isConnectionLost || performance.now() < pausedUntil;
    if (isBatchDue()) return void releaseHeld();
    for (const upload of isPaused ? [] : rows.all()) {
      if (sending.size >= uploadsAtOnce) return;
      if (upload.state === 'waiting' && !held.has(upload.id) && !isNameBeingSent(upload)) void run(upload);
    }
    settle();
  }

  /** Two files of one name are sent one after the other, so that the one that replaces arrives last. */
  const isNameBeingSent = (upload: Upload): boolean =>
    [...sending.values()].some(({ key }) => key === keyOf(upload));

  /** The uploads of the batch that have ended. */
  const batchOf = (): Upload[] => rows.all().filter((upload) => ended.has(upload.id) && !isOpen(upload));

  function settle(): void {
    if (ended.size === 0 || rows.all().some((upload) => isOpen(upload) || upload.state === 'clash')) return;
    const batch = batchOf();
    ended.clear();
    closeBatches();
    ports.settled(batch);
  }

  /** A batch with files that can be sent again stays open. */
  function closeBatches(): void {
    const all = rows.all();
    const ids = new Set(all.flatMap(({ batchId }) => batchId ?? []));
    for (const { batchId, ...upload } of all)
      if (batchId !== null && upload.state === 'failed' && upload.canRetry) ids.delete(batchId);
    for (const id of ids) if (!closed.has(id)) ports.closeBatch(id);
    for (const id of ids) closed.add(id);
  }

  async function run(upload: Upload): Promise<void> {
    const abort = new AbortController();
    sending.set(upload.id, { key: keyOf(upload), abort });
    rows.patchOne(upload.id, { state: 'sending', sent: 0, reason: null });
    try {
      const reply = await ports.send(upload.file, {
        extract: upload.extract,
        batchId: upload.batchId,
        signal: abort.signal,
        onSent: (sent) => rows.patchOne(upload.id, { sent: Math.min(sent, sizeOf(upload.file)) }),
      });
      ended.add(upload.id);
      rows.patchOne(upload.id, { state: 'stored', sent: sizeOf(upload.file), reply });
      supersedeEarlier(upload);
      ports.stored(reply);
      void followReading(upload.id, reply);
    } catch (error) {
      if (!abort.signal.aborted) failed(upload, error);
    } finally {
      sending.delete(upload.id);
      pump();
    }
  }

  /** Earlier files of the name that are not stored can no longer be sent: they would replace the stored one. */
  function supersedeEarlier(stored: Upload): void {
    const key = keyOf(stored);
    rows.patch((upload) => {
      const isUnsent = upload.state === 'waiting' || isReplaceable(upload);
      if (upload.id >= stored.id || !isUnsent || keyOf(upload) !== key) return null;
      return { state: 'superseded', reason: null };
    });
  }

  async function followReading(id: number, reply: UploadReply): Promise<void> {
    const { state, reason } = await ports.read(reply);
    if (state === 'failed') rows.patchOne(id, { state: 'unreadable', reason });
  }

  function failed(upload: Upload, error: unknown): void {
    const reason = error instanceof Error ? error.message : 'Please try again.';
    if (error instanceof SendFailure && error.retryAfterMs !== null) {
      pause(Math.min(error.retryAfterMs, longestPauseMs));
      rows.patchOne(upload.id, { state: 'waiting', sent: 0, reason });
      return;
    }
    if (isConnectionLoss(error)) return waitForConnection(upload);
    const { status = 0, code = '' } = error instanceof SendFailure ? error : {};
    const { batchId } = upload;
    const isSessionChanged = code === ('session_changed' satisfies ErrorCode);
    // Another tab or another member cancelled the batch, which takes no more files.
    if (status === 409 && batchId !== null && !isSessionChanged)
      return cancelWhere((other) => other.batchId === batchId, reason);
    ended.add(upload.id);
    const signedOut = status === 401;
    // A role may be given back; meanwhile Retry is disabled and says why.
    const canRetry = signedOut || status === 403 || retryHelps(error);
    rows.patchOne(upload.id, { state: 'failed', reason, canRetry });
    if (isSessionChanged) return failWaiting(reason, false);
    if (signedOut) failWaiting(reason, true);
    if (error instanceof SendFailure && error.status === 413) refuseLargerThan(sizeOf(upload.file), reason);
  }

  /** The file is sent again, and the others that wait, when the API answers again. */
  function waitForConnection({ id }: Upload): void {
    rows.patchOne(id, { state: 'waiting', sent: 0, reason: null });
    rows.setConnectionLost(true);
    losses.add(id);
  }

  function continueAfterLoss(unsendable: ReadonlySet<number>): void {
    rows.patch(({ id, state }) => {
      if (state !== 'waiting' || !unsendable.has(id)) return null;
      ended.add(id);
      return { state: 'failed', reason: lossReason, canRetry: true };
    });
    connectionIsBack();
    pump();
  }

  function connectionIsBack(): void {
    losses.end();
    rows.setConnectionLost(false);
  }

  /**
   * Without the session every further upload would fail in the same way.
   * @param canRetry after the next login
   */
  function failWaiting(reason: string, canRetry: boolean): void {
    rows.patch((upload) => {
      if (upload.state !== 'waiting') return null;
      ended.add(upload.id);
      return { state: 'failed', reason, canRetry };
    });
  }

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    setTimeout(pump, ms + timerSlackMs);
  }

  /** After a 413, files of at least that size are refused without sending them. */
  function refuseLargerThan(size: number, reason: string): void {
    tooLargeFrom = Math.min(tooLargeFrom, size);
    tooLargeReason = reason;
    rows.patch((upload) => {
      const pending = upload.state === 'waiting' || isUnanswered(upload);
      return pending && sizeOf(upload.file) >= tooLargeFrom ? { state: 'refused', reason } : null;
    });
  }

  /** @param reason why they cannot be sent again; null: the user cancelled them and can */
  function cancelWhere(matches: (upload: Upload) => boolean, reason: string | null = null): void {
    const open = rows
      .all()
      .filter((upload) => matches(upload) && (isOpen(upload) || upload.state === 'clash'));
    const ids = new Set(open.map((upload) => upload.id));
    for (const id of ids) ended.add(id);
    const change = { state: 'cancelled', sent: 0, reason, canRetry: reason === null } as const;
    rows.patch((upload) => (ids.has(upload.id) ? change : null));
    for (const id of ids) sending.get(id)?.abort.abort();
    pump();
  }

  const cancel = (id: number) => cancelWhere((upload) => upload.id === id);
  const cancelAll = () => cancelWhere(() => true);

  function retryWhere(matches: (upload: Upload) => boolean): void {
    rows.patch((upload) => {
      if (!isRetryable(upload) || !matches(upload)) return null;
      losses.delete(upload.id);
      // Its batch is open again until it is closed again.
      if (upload.batchId !== null) closed.delete(upload.batchId);
      return { state: 'waiting', sent: 0, reason: null };
    });
    losses.check();
    pump();
  }

  /** Removes a file from the list; an open upload is cancelled first. */
  function remove(id: number): void {
    cancel(id);
    rows.keepOnly((upload) => upload.id !== id);
  }

  /**
   * Empties the list, which belongs to one user in one organization: nothing more is sent, and no batch is closed.
   * @returns the number of files that were to be uploaded and were not
   */
  function drop(): number {
    const { chosen, open, failed: unsent } = totalsOf(rows.all());
    rows.keepOnly(() => false);
    ended.clear();
    held.clear();
    connectionIsBack();
    for (const { abort } of sending.values()) abort.abort();
    return chosen + open + unsent;
  }

  return {
    drop,
    add,
    start,
    answer,
    cancel,
    cancelAll,
    /** Continues at once if the API answers again. */
    checkConnection: losses.check,
    retry: (id: number) => retryWhere((upload) => upload.id === id),
    /** Sends the failed files again for which that can help. */
    retryAll: () => retryWhere((upload) => upload.state === 'failed'),
    remove,
    /** Removes every file from the list that is neither being sent nor still to be sent. */
    clearEnded: () => rows.keepOnly((upload) => isOpen(upload) || isUnanswered(upload)),
    /** The uploads that have ended while others of their batch are open. */
    unsettled: batchOf,
    get: rows.get,
    subscribe: rows.subscribe,
  };
}
