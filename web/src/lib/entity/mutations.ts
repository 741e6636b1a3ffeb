import { formatCount } from '../format/format.ts';
import type { BulkDeleted, BulkUpdated, Restored } from '@riskboard/contract';
import { etagOf } from '@riskboard/contract';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { toast, type ToastOptions } from '../../ui/feedback/toast.ts';
import { ApiError, isMissing, messageOf } from '../api/errors.ts';
import { followedWork } from '../jobs/followed-work.ts';
import { cachedName, patchCached, removeCached, type CachedRecord, type Selection } from './cache.ts';
import { markDeleted, markRestored } from './deleted-records.ts';
import type { BulkWork } from './bulk-outcome.ts';
import type { Body, DetailOf, Entity } from './entity.ts';
import type { Message } from './messages.ts';
import { creationSaved, endCreation, endDeletion, startCreation, startDeletion } from './pending-records.ts';
import { previewOf, recordFieldsOf } from './preview.ts';
import { callEntity } from './queries.ts';
import { requestRowFocus } from './request-row-focus.ts';
import { cancelRowFocus } from './row-focus.ts';

/** A change of one record. */
export interface Update {
  id: string;
  change: Body;
  /** Version that the user saw: the server refuses the change when it has a newer one. Absent: the last write wins. */
  version?: number | undefined;
}

interface AcceptedJob {
  jobId: string;
  message: string;
}

/** The server's message, else the fallback (spec 8); undefined when there is neither. */
const reasonOf = (error: unknown, fallback = ''): string | undefined =>
  messageOf(error, fallback) || undefined;

const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'stale_version';

/** Refetches what is shown of a noun, except the pages of the deleted records, which would only answer 404. */
function refetch(queryClient: QueryClient, noun: string, deletedIds: readonly string[] = []): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: [noun],
    predicate: ({ queryKey }) => !deletedIds.some((id) => queryKey.includes(id)),
  });
}

/** Follows a bulk action that runs as a job, also over a reload of the page. */
async function followBulk(queryClient: QueryClient, jobId: string, data: BulkWork): Promise<void> {
  const work = { id: jobId, kind: 'records', data };
  followedWork.add(work);
  const { showBulkOutcome } = await import('./bulk-outcome.ts');
  await showBulkOutcome(queryClient, work);
}

async function restore(queryClient: QueryClient, { noun, calls, messages }: Entity, ids: string[]) {
  try {
    const { message } = await callEntity<z.infer<typeof Restored>>(calls.restore, { body: { ids } });
    markRestored(ids);
    toast.success(ids.length === 1 ? messages.restored : messages.restoredMany, message);
  } catch (error) {
    toast.error(messages.restoreFailed, reasonOf(error));
  }
  void refetch(queryClient, noun);
}

interface Deletion {
  ids: string[];
  message: Message;
}

/** '“Log4Shell”'. */
const quoted = (name: string): string => `“${name}”`;

/** Shows that records were deleted, with Undo while the toast is shown. */
function showDeleted(queryClient: QueryClient, entity: Entity, { ids, message }: Deletion): void {
  const [title, description] = message;
  if (ids.length === 0) return void toast.success(title, description);
  const id = toast.success(title, description, {
    action: {
      label: 'Undo',
      onClick() {
        toast.close(id);
        void restore(queryClient, entity, ids);
      },
    },
  });
}

/** A record to create, and what its toasts offer. */
export interface Creation<Detail> {
  body: Body;
  /** Called when the server has created it. Returns the action of the toast. */
  onCreated?: (detail: Detail) => ToastOptions['action'];
  /** Called when the server refused it. Returns the action of the toast: undefined when nothing is left to do. */
  onRefused?: (error: unknown) => ToastOptions['action'];
}

const withAction = (action: ToastOptions['action']): ToastOptions => (action === undefined ? {} : { action });

/**
 * Creates a record. Lists show it at once, marked as being created, and drop it again when the server refuses (spec 4,
 * Optimistic changes).
 */
export function useCreate<E extends Entity>(entity: E) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: ({ body }: Creation<DetailOf<E>>) => callEntity<DetailOf<E>>(calls.create, { body }),
    onMutate: ({ body }) => startCreation(noun, previewOf(entity, body)),
    onSuccess(detail, { onCreated }, pendingId) {
      creationSaved(pendingId, detail._id);
      queryClient.setQueryData([noun, 'detail', detail._id], detail);
      toast.success(messages.created, quoted(detail.name), withAction(onCreated?.(detail)));
    },
    onError: (error, { onRefused }) =>
      void toast.error(messages.createFailed, reasonOf(error), withAction(onRefused?.(error))),
    onSettled(_detail, error, _creation, pendingId) {
      const refetched = refetch(queryClient, noun);
      if (pendingId === undefined) return;
      // A created record stays until the lists have loaded it.
      if (error !== null) endCreation(pendingId);
      else void refetched.finally(() => endCreation(pendingId));
    },
  });
}

/**
 * Changes one record; lists and detail show it at once. A refusal because of a stale version shows no toast: the form
 * that sent the version asks the user what to do.
 */
export function useUpdate<E extends Entity>(entity: E) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: ({ id, change, version }: Update) =>
      callEntity<DetailOf<E>>(calls.update, {
        params: { id },
        body: change,
        ...(version !== undefined && { headers: { 'if-match': etagOf(version) } }),
      }),
    onMutate: ({ id, change }) =>
      patchCached(queryClient, noun, { ...recordFieldsOf(entity, change), _id: id }),
    async onSuccess(detail) {
      await patchCached(queryClient, noun, detail as unknown as CachedRecord);
      toast.success(messages.updated);
    },
    onError(error, _update, rollback) {
      rollback?.();
      if (!isStale(error)) toast.error(messages.updateFailed, reasonOf(error));
    },
    onSettled: () => void refetch(queryClient, noun),
  });
}

/** Removes records from every list at once. Returns what the end of the deletion needs. */
async function hide(queryClient: QueryClient, noun: string, selection: Selection) {
  const ids = 'ids' in selection ? selection.ids : [];
  requestRowFocus(queryClient, noun, selection);
  startDeletion(ids);
  for (const id of ids) markDeleted(id);
  const rollback = await removeCached(queryClient, noun, selection);
  return {
    /** The server deleted them: a list that was loaded meanwhile may still have them. */
    async confirm(): Promise<void> {
      if (ids.length > 0) await removeCached(queryClient, noun, selection);
      endDeletion(ids);
      const isOfDeleted = ({ queryKey }: { queryKey: readonly unknown[] }) =>
        queryKey.some((part) => typeof part === 'string' && ids.includes(part));
      queryClient.removeQueries({ queryKey: [noun], type: 'inactive', predicate: isOfDeleted });
    },
    /** The server kept them, or deletes them later. */
    cancel(): void {
      cancelRowFocus();
      markRestored(ids);
      rollback();
      endDeletion(ids);
    },
  };
}

/** Deletes one record, with Undo. Lists drop it at once; the page that shows it should lead to its list. */
export function useDelete(entity: Entity) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: (id: string) => callEntity<unknown>(calls.delete, { params: { id } }),
    async onMutate(id) {
      // Read before the lists drop it.
      const name = cachedName(queryClient, noun, id);
      return { name, hidden: await hide(queryClient, noun, { ids: [id] }) };
    },
    async onSuccess(_reply, id, { name, hidden }) {
      await hidden.confirm();
      const description = name === undefined ? undefined : `Deleted ${quoted(name)}.`;
      showDeleted(queryClient, entity, { ids: [id], message: [messages.deleted, description] });
    },
    async onError(error, _id, context) {
      // Another user or tab deleted it first.
      if (isMissing(error)) {
        await context?.hidden.confirm();
        const name = context?.name;
        toast.info(messages.deleted, name === undefined ? undefined : `${quoted(name)} was already deleted.`);
        return;
      }
      context?.hidden.cancel();
      toast.error(messages.deleteFailed, reasonOf(error));
    },
    onSettled: (_reply, error, id) =>
      void refetch(queryClient, noun, error === null || isMissing(error) ? [id] : []),
  });
}

type BulkDeletion = z.infer<typeof BulkDeleted>;

/** Ids that Undo restores: those that the server names, else those that were selected. */
const deletedIds = (reply: BulkDeletion, selection: Selection): string[] =>
  reply.ids ?? ('ids' in selection ? selection.ids : []);

/** Deletes the selected records, with Undo. Above `mostAtOnce` the server deletes them in a job (contract). */
export function useDeleteMany(entity: Entity) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: (selection: Selection) =>
      callEntity<BulkDeletion | AcceptedJob>(calls.deleteMany, { body: selection }),
    onMutate: (selection) => hide(queryClient, noun, selection),
    async onSuccess(reply, selection, hidden) {
      if (!('jobId' in reply)) {
        await hidden.confirm();
        const message = messages.deletedMany(reply.deletedCount);
        showDeleted(queryClient, entity, { ids: deletedIds(reply, selection), message });
        return;
      }
      // The rows exist until the job has deleted them.
      hidden.cancel();
      toast.info('Deleting in the background', reply.message, { id: reply.jobId });
      void followBulk(queryClient, reply.jobId, { noun, title: messages.deletedMany(0)[0] });
    },
    onError(error, _selection, hidden) {
      hidden?.cancel();
      const [title, fallback] = messages.deleteManyFailed;
      toast.error(title, reasonOf(error, fallback));
    },
    onSettled: () => void refetch(queryClient, noun),
  });
}

/** Sets the same fields on the selected records. Above `mostAtOnce` the server changes them in a job (contract). */
export function useUpdateMany(entity: Entity) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: ({ selection, change }: { selection: Selection; change: Body }) =>
      callEntity<z.infer<typeof BulkUpdated> | AcceptedJob>(calls.updateMany, {
        body: { ...selection, change },
      }),
    onSuccess(reply) {
      if ('jobId' in reply) {
        toast.info('Changing in the background', reply.message, { id: reply.jobId });
        void followBulk(queryClient, reply.jobId, { noun, title: messages.updatedMany });
        return;
      }
      const unchanged = reply.unchangedCount === 0 ? '' : ` ${formatCount(reply.unchangedCount)} unchanged.`;
      toast.success(messages.updatedMany, `${reply.message}${unchanged}`);
    },
    onError: (error) => toast.error(messages.updateManyFailed, reasonOf(error)),
    onSettled: () => void refetch(queryClient, noun),
  });
}
