import { etagOf, type BulkUpdated } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { quoted } from '../format/name-text.ts';
import { toast, type ToastOptions } from '../../ui/feedback/toast.ts';
import { isMissing, isStale, isUnanswered } from '../api/errors.ts';
import { patchCached, type CachedRecord, type Selection } from './cache.ts';
import { createOnce, unknownCreation, type CreationAttempt } from './creation.ts';
import type { Body, BulkEditEntity, DetailOf, Entity } from './entity.ts';
import { followBulk, refetch, showFailure, type AcceptedJob } from './mutation-outcome.ts';
import { creationSaved, endCreation, startCreation } from './pending-records.ts';
import { previewOf, recordFieldsOf } from './preview.ts';
import { callEntity } from './queries.ts';

/** A change of one record. */
export interface Update {
  id: string;
  change: Body;
  /** Version that the user saw: the server refuses the change when it has a newer one. Absent: the last write wins. */
  version?: number | undefined;
}

/** A record to create, and what its toasts offer. */
export interface Creation<Detail> {
  body: Body;
  attempt: CreationAttempt;
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
  const { noun, messages } = entity;
  return useMutation({
    mutationFn: ({ body, attempt }: Creation<DetailOf<E>>) => createOnce(entity, body, attempt),
    onMutate({ body, attempt }) {
      toast.close(attempt.key);
      return startCreation(noun, previewOf(entity, body));
    },
    onSuccess(detail, { onCreated }, pendingId) {
      creationSaved(pendingId, detail._id);
      queryClient.setQueryData([noun, 'detail', detail._id], detail);
      toast.success(messages.created, quoted(detail.name), withAction(onCreated?.(detail)));
    },
    onError(error, { attempt, onRefused }) {
      const options = { id: attempt.key, ...withAction(onRefused?.(error)) };
      if (!isUnanswered(error)) return showFailure(messages.createFailed, error, options);
      return void toast.error(messages.createFailed, unknownCreation(entity, error), options);
    },
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
  const { noun, one, calls, messages } = entity;
  const failureOf = (id: string) => `update ${noun} ${id}`;
  return useMutation({
    mutationFn: ({ id, change, version }: Update) =>
      callEntity<DetailOf<E>>(calls.update, {
        params: { id },
        body: change,
        ...(version !== undefined && { headers: { 'if-match': etagOf(version) } }),
      }),
    onMutate({ id, change }) {
      toast.close(failureOf(id));
      return patchCached(queryClient, noun, { ...recordFieldsOf(entity, change), _id: id });
    },
    async onSuccess(detail) {
      await patchCached(queryClient, noun, detail as unknown as CachedRecord);
      toast.success(messages.updated);
    },
    onError(error, { id }, rollback) {
      rollback?.();
      const options = { id: failureOf(id) };
      if (isMissing(error)) toast.error(`This ${one} was deleted`, 'The change was not saved.', options);
      else if (!isStale(error)) showFailure(messages.updateFailed, error, options);
    },
    onSettled: () => void refetch(queryClient, noun),
  });
}

/** Sets the same fields on the selected records. Above `mostAtOnce` the server changes them in a job (contract). */
export function useUpdateMany(entity: BulkEditEntity) {
  const queryClient = useQueryClient();
  const { noun, calls, messages } = entity;
  const failure = `update ${noun}`;
  return useMutation({
    mutationFn: ({ selection, change }: { selection: Selection; change: Body }) =>
      callEntity<z.infer<typeof BulkUpdated> | AcceptedJob>(calls.updateMany, {
        body: { ...selection, change },
      }),
    onMutate: () => toast.close(failure),
    onSuccess(reply) {
      if ('jobId' in reply) {
        toast.info('Changing in the background', reply.message, { id: reply.jobId });
        void followBulk(queryClient, reply.jobId, { noun, title: messages.updatedMany });
        return;
      }
      const unchanged = reply.unchangedCount === 0 ? '' : ` ${formatCount(reply.unchangedCount)} unchanged.`;
      toast.success(messages.updatedMany, `${reply.message}${unchanged}`);
    },
    onError: (error) => showFailure(messages.updateManyFailed, error, { id: failure }),
    onSettled: () => void refetch(queryClient, noun),
  });
}
