import type { BulkDeleted, Deleted, Restored } from '@riskboard/contract';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { quoted } from '../format/name-text.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { isMissing } from '../api/errors.ts';
import { cachedName, removeCached, type Selection } from './cache.ts';
import { forgetRecords } from '../session/recent-records.ts';
import { markDeleted, markRestored } from './deleted-records.ts';
import type { Entity } from './entity.ts';
import type { Message } from './messages.ts';
import { followBulk, showFailure, refetch, type AcceptedJob } from './mutation-outcome.ts';
import { endDeletion, startDeletion } from './pending-records.ts';
import { callEntity } from './queries.ts';
import { requestRowFocus } from './request-row-focus.ts';
import { cancelRowFocus } from './row-focus.ts';

async function restore(queryClient: QueryClient, { noun, calls, messages }: Entity, ids: string[]) {
  try {
    const { message, restoredCount } = await callEntity<z.infer<typeof Restored>>(calls.restore, {
      body: { ids },
    });
    if (restoredCount === 0) {
      toast.info('Nothing was restored', message);
    } else {
      markRestored(ids);
      toast.success(ids.length === 1 ? messages.restored : messages.restoredMany, message);
    }
  } catch (error) {
    showFailure(messages.restoreFailed, error);
  }
  void refetch(queryClient, noun);
}

interface Deletion {
  ids: string[];
  message: Message;
}

/** Shows that records were deleted, with Undo while the toast is shown. */
function showDeleted(queryClient: QueryClient, entity: Entity, { ids, message }: Deletion): void {
  const [title, description] = message;
  if (ids.length === 0) return void toast.success(title, description);
  toast.success(title, description, {
    action: { label: 'Undo', onClick: () => void restore(queryClient, entity, ids) },
  });
}

/** Removes records from every list at once. Returns what the end of the deletion needs. */
async function hide(queryClient: QueryClient, noun: string, selection: Selection) {
  const ids = 'ids' in selection ? selection.ids : [];
  requestRowFocus(queryClient, noun, selection);
  startDeletion(ids);
  markDeleted(...ids);
  const rollback = await removeCached(queryClient, noun, selection);
  return {
    /** The server deleted them: a list that was loaded meanwhile may still have them. */
    async confirm(): Promise<void> {
      if (ids.length > 0) await removeCached(queryClient, noun, selection);
      endDeletion(ids);
      forgetRecords(ids);
      const deleted = new Set<unknown>(ids);
      const isOfDeleted = ({ queryKey }: { queryKey: readonly unknown[] }) =>
        queryKey.some((part) => deleted.has(part));
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

/** Says that a job deletes records, and follows it. They exist until then. */
function followDeletion(queryClient: QueryClient, noun: string, { reply, title }: AcceptedDeletion): void {
  toast.info('Deleting in the background', reply.message, { id: reply.jobId });
  void followBulk(queryClient, reply.jobId, { noun, title });
}

interface AcceptedDeletion {
  reply: AcceptedJob;
  /** Of the toast when the job has ended. */
  title: string;
}

/**
 * Deletes one record, with Undo. Lists drop it at once; the page that shows it should lead to its list. Above
 * `mostRelationsAtOnce` the server deletes it in a job (contract).
 */
export function useDelete(entity: Entity) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  const failureOf = (id: string) => `delete ${noun} ${id}`;
  return useMutation({
    mutationFn: (id: string) =>
      callEntity<z.infer<typeof Deleted> | AcceptedJob>(calls.delete, { params: { id } }),
    async onMutate(id) {
      toast.close(failureOf(id));
      // Read before the lists drop it.
      const name = cachedName(queryClient, noun, id);
      return { name, hidden: await hide(queryClient, noun, { ids: [id] }) };
    },
    async onSuccess(reply, id, { name, hidden }) {
      if ('jobId' in reply) {
        hidden.cancel();
        return followDeletion(queryClient, noun, { reply, title: messages.deleted });
      }
      await hidden.confirm();
      const description = name === undefined ? undefined : `Deleted ${quoted(name)}.`;
      showDeleted(queryClient, entity, { ids: [id], message: [messages.deleted, description] });
    },
    async onError(error, id, context) {
      // Another user or tab deleted it first.
      if (isMissing(error)) {
        await context?.hidden.confirm();
        const name = context?.name;
        toast.info(messages.deleted, name === undefined ? undefined : `${quoted(name)} was already deleted.`);
        return;
      }
      context?.hidden.cancel();
      showFailure(messages.deleteFailed, error, { id: failureOf(id) });
    },
    onSettled(reply, error, id) {
      const isDeleted = reply === undefined ? isMissing(error) : !('jobId' in reply);
      void refetch(queryClient, noun, isDeleted ? [id] : []);
    },
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
  const failure = `delete ${noun}`;
  return useMutation({
    mutationFn: (selection: Selection) =>
      callEntity<BulkDeletion | AcceptedJob>(calls.deleteMany, { body: selection }),
    onMutate(selection) {
      toast.close(failure);
      return hide(queryClient, noun, selection);
    },
    async onSuccess(reply, selection, hidden) {
      if (!('jobId' in reply)) {
        await hidden.confirm();
        const message = messages.deletedMany(reply.deletedCount);
        showDeleted(queryClient, entity, { ids: deletedIds(reply, selection), message });
        return;
      }
      hidden.cancel();
      followDeletion(queryClient, noun, { reply, title: messages.deletedMany(0)[0] });
    },
    onError(error, _selection, hidden) {
      hidden?.cancel();
      const [title, fallback] = messages.deleteManyFailed;
      showFailure(title, error, { fallback, id: failure });
    },
    onSettled: () => void refetch(queryClient, noun),
  });
}
