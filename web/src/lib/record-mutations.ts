import type { BulkDeleted } from '@riskboard/contract';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { toast } from '../ui/feedback/toast.ts';
import { ApiError, messageOf } from './api/errors.ts';
import { endOfJob } from './jobs/wait-for-job.ts';
import { outcomeOf } from './jobs/job-labels.ts';
import { markBack, markGone } from './gone-records.ts';
import { insertCached, patchCached, removeCached, type Cached, type Selection } from './record-cache.ts';
import type { RecordKind, Update, Words } from './record-kind.ts';
import { threatKind } from './threat-kind.ts';
import { vulnerabilityKind } from './vulnerability-kind.ts';

/** Why it failed: the server's message, else the fallback (spec 8); the title stands alone where there is neither. */
const reasonOf = (error: unknown, fallback = ''): string | undefined =>
  messageOf(error, fallback) || undefined;

const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'stale_version';

/** Ids under which a deleted record's page would ask for it once more are left out. */
function refresh(queryClient: QueryClient, noun: string, gone: readonly string[] = []): void {
  void queryClient.invalidateQueries({
    queryKey: [noun],
    predicate: ({ queryKey }) => !gone.some((id) => queryKey.includes(id)),
  });
}

/** Tells the end of a bulk action that became a job, as it comes. */
async function followJob(queryClient: QueryClient, noun: string, told: { jobId: string; title: string }) {
  try {
    const job = await endOfJob(told.jobId);
    const tone = job.state === 'succeeded' ? 'success' : job.state === 'failed' ? 'error' : 'info';
    toast[tone](told.title, outcomeOf(job) ?? undefined, { id: told.jobId });
  } catch {
    // The job is gone, and what it was about with it; the list says what there is.
    toast.close(told.jobId);
  }
  refresh(queryClient, noun);
}

/**
 * What people do with the records of a noun. Lists and details change at once and go back when the server refuses
 * (spec 4, Optimistic changes); each end is told in the words of spec 8.
 */
function recordMutations<Detail extends { _id: string }, New, Change, Bulk>(
  kind: RecordKind<Detail, New, Change, Bulk>,
) {
  const { noun, texts } = kind;
  const undone = () => Promise.resolve(() => undefined);

  async function restore(queryClient: QueryClient, ids: string[]): Promise<void> {
    try {
      const { message } = await kind.restore(ids);
      markBack(ids);
      toast.success(ids.length === 1 ? texts.restored : texts.restoredMany, message);
    } catch (error) {
      toast.error(texts.restoreFailed, reasonOf(error));
    }
    refresh(queryClient, noun);
  }

  /** Says that records are gone, with the way back for as long as it stands. */
  function tellDeleted(queryClient: QueryClient, ids: string[], [title, description]: Words) {
    if (ids.length === 0) return void toast.success(title, description);
    const id = toast.success(title, description, {
      action: {
        label: 'Undo',
        onClick() {
          toast.close(id);
          void restore(queryClient, ids);
        },
      },
    });
  }

  return {
    /** A new record; it stands on top of the newest at once. The mutation's result is the record as saved. */
    useCreate() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (body: New) => kind.create(body),
        async onMutate(body) {
          const preview = await kind.preview(body);
          if (preview === undefined) return undone();
          return insertCached(queryClient, noun, { ...preview, _id: crypto.randomUUID() });
        },
        onSuccess(detail) {
          queryClient.setQueryData([noun, 'detail', detail._id], detail);
          toast.success(texts.created);
        },
        onError(error, _body, undo) {
          undo?.();
          toast.error(texts.createFailed, reasonOf(error));
        },
        onSettled: () => refresh(queryClient, noun),
      });
    },

    /**
     * A change of one record. A refusal because the version is stale is told by whoever sent the version, not by a
     * toast: it is a question to the person.
     */
    useUpdate() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (update: Update<Change>) => kind.update(update),
        async onMutate({ id, change }) {
          const fields = await kind.fields(change);
          return fields === undefined ? undone() : patchCached(queryClient, noun, { ...fields, _id: id });
        },
        async onSuccess(detail) {
          await patchCached(queryClient, noun, detail as Cached);
          toast.success(texts.updated);
        },
        onError(error, _update, undo) {
          undo?.();
          if (!isStale(error)) toast.error(texts.updateFailed, reasonOf(error));
        },
        onSettled: () => refresh(queryClient, noun),
      });
    },

    /** Deletes one record, with Undo. */
    useDelete() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (id: string) => kind.remove(id),
        onMutate: (id) => removeCached(queryClient, noun, { ids: [id] }),
        onSuccess(_reply, id) {
          markGone(id);
          tellDeleted(queryClient, [id], [texts.deleted]);
        },
        onError(error, _id, undo) {
          undo?.();
          toast.error(texts.deleteFailed, reasonOf(error));
        },
        onSettled: (_reply, error, id) => refresh(queryClient, noun, error === null ? [id] : []),
      });
    },

    /** Deletes selected records, with Undo; many become a job, whose end is told (contract, `mostAtOnce`). */
    useDeleteMany() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (selection: Selection) => kind.removeMany(selection),
        onMutate: (selection) => removeCached(queryClient, noun, selection),
        onSuccess(reply, selection, undo) {
          if (!('jobId' in reply)) {
            tellDeleted(queryClient, deletedIds(reply, selection), texts.deletedMany(reply.deletedCount));
            return;
          }
          // Until the job has run, they are there.
          undo?.();
          toast.info('Deleting in the background', reply.message, { id: reply.jobId });
          void followJob(queryClient, noun, { jobId: reply.jobId, title: texts.deletedMany(0)[0] });
        },
        onError(error, _selection, undo) {
          undo?.();
          const [title, fallback] = texts.deleteManyFailed;
          toast.error(title, reasonOf(error, fallback));
        },
        onSettled: () => refresh(queryClient, noun),
      });
    },

    /** Sets the same on selected records; many become a job. */
    useBulkUpdate() {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: ({ selection, change }: { selection: Selection; change: Bulk }) =>
          kind.updateMany(selection, change),
        onSuccess(reply) {
          if ('jobId' in reply) {
            toast.info('Changing in the background', reply.message, { id: reply.jobId });
            void followJob(queryClient, noun, { jobId: reply.jobId, title: texts.updatedMany });
            return;
          }
          const rest = reply.unchangedCount === 0 ? '' : ` ${reply.unchangedCount} were so already.`;
          toast.success(texts.updatedMany, `${reply.message}${rest}`);
        },
        onError: (error) => toast.error(texts.updateManyFailed, reasonOf(error)),
        onSettled: () => refresh(queryClient, noun),
      });
    },

    /** Brings deleted records back as they were. */
    useRestore() {
      const queryClient = useQueryClient();
      return useMutation({ mutationFn: (ids: string[]) => restore(queryClient, ids) });
    },
  };
}

/** What an Undo brings back; of all that match, what the server names. */
const deletedIds = (reply: z.infer<typeof BulkDeleted>, selection: Selection): string[] =>
  reply.ids ?? ('ids' in selection ? selection.ids : []);

export const {
  useCreate: useCreateVulnerability,
  useUpdate: useUpdateVulnerability,
  useDelete: useDeleteVulnerability,
  useDeleteMany: useDeleteManyVulnerabilities,
  useBulkUpdate: useBulkUpdateVulnerabilities,
  useRestore: useRestoreVulnerabilities,
} = recordMutations(vulnerabilityKind);

export const {
  useCreate: useCreateThreat,
  useUpdate: useUpdateThreat,
  useDelete: useDeleteThreat,
  useDeleteMany: useDeleteManyThreats,
  useBulkUpdate: useBulkUpdateThreats,
  useRestore: useRestoreThreats,
} = recordMutations(threatKind);
