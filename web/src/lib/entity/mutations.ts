import { formatCount } from '../format/format.ts';
import type { BulkDeleted, BulkUpdated, Restored } from '@riskboard/contract';
import { etagOf } from '@riskboard/contract';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { toast } from '../../ui/feedback/toast.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { followBulk } from './bulk-outcome.ts';
import { insertCached, patchCached, removeCached, type CachedRecord, type Selection } from './cache.ts';
import { markDeleted, markRestored } from './deleted-records.ts';
import type { Body, DetailOf, Entity } from './entity.ts';
import type { Message } from './messages.ts';
import { previewOf, recordFieldsOf } from './preview.ts';
import { callEntity } from './queries.ts';

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
function refetch(queryClient: QueryClient, noun: string, deletedIds: readonly string[] = []): void {
  void queryClient.invalidateQueries({
    queryKey: [noun],
    predicate: ({ queryKey }) => !deletedIds.some((id) => queryKey.includes(id)),
  });
}

async function restore(queryClient: QueryClient, { noun, calls, messages }: Entity, ids: string[]) {
  try {
    const { message } = await callEntity<z.infer<typeof Restored>>(calls.restore, { body: { ids } });
    markRestored(ids);
    toast.success(ids.length === 1 ? messages.restored : messages.restoredMany, message);
  } catch (error) {
    toast.error(messages.restoreFailed, reasonOf(error));
  }
  refetch(queryClient, noun);
}

interface Deletion {
  ids: string[];
  message: Message;
}

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

let previews = 0;

/** Id of a row until the server has answered. `crypto.randomUUID` exists only in secure contexts. */
function nextPreviewId(): string {
  previews += 1;
  return `preview-${previews}`;
}

/** Creates a record. Lists show it at once and drop it again when the server refuses (spec 4, Optimistic changes). */
export function useCreate<E extends Entity>(entity: E) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: (body: Body) => callEntity<DetailOf<E>>(calls.create, { body }),
    onMutate: (body) => insertCached(queryClient, noun, { ...previewOf(entity, body), _id: nextPreviewId() }),
    onSuccess(detail) {
      queryClient.setQueryData([noun, 'detail', detail._id], detail);
      toast.success(messages.created);
    },
    onError(error, _body, rollback) {
      rollback?.();
      toast.error(messages.createFailed, reasonOf(error));
    },
    onSettled: () => refetch(queryClient, noun),
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
    onSettled: () => refetch(queryClient, noun),
  });
}

/** Deletes one record, with Undo. */
export function useDelete(entity: Entity) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  return useMutation({
    mutationFn: (id: string) => callEntity<unknown>(calls.delete, { params: { id } }),
    onMutate: (id) => removeCached(queryClient, noun, { ids: [id] }),
    onSuccess(_reply, id) {
      markDeleted(id);
      showDeleted(queryClient, entity, { ids: [id], message: [messages.deleted] });
    },
    onError(error, _id, rollback) {
      rollback?.();
      toast.error(messages.deleteFailed, reasonOf(error));
    },
    onSettled: (_reply, error, id) => refetch(queryClient, noun, error === null ? [id] : []),
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
    onMutate: (selection) => removeCached(queryClient, noun, selection),
    onSuccess(reply, selection, rollback) {
      if (!('jobId' in reply)) {
        const message = messages.deletedMany(reply.deletedCount);
        showDeleted(queryClient, entity, { ids: deletedIds(reply, selection), message });
        return;
      }
      // The rows exist until the job has deleted them.
      rollback?.();
      toast.info('Deleting in the background', reply.message, { id: reply.jobId });
      followBulk(queryClient, reply.jobId, { noun, title: messages.deletedMany(0)[0] });
    },
    onError(error, _selection, rollback) {
      rollback?.();
      const [title, fallback] = messages.deleteManyFailed;
      toast.error(title, reasonOf(error, fallback));
    },
    onSettled: () => refetch(queryClient, noun),
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
        followBulk(queryClient, reply.jobId, { noun, title: messages.updatedMany });
        return;
      }
      const unchanged = reply.unchangedCount === 0 ? '' : ` ${formatCount(reply.unchangedCount)} unchanged.`;
      toast.success(messages.updatedMany, `${reply.message}${unchanged}`);
    },
    onError: (error) => toast.error(messages.updateManyFailed, reasonOf(error)),
    onSettled: () => refetch(queryClient, noun),
  });
}
