import { alerts, type Alert, type Reply } from '@riskboard/contract';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call, type CallInput } from '../../../lib/api/call.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { unreadQuery } from '../unread-query.ts';

type Body = CallInput<typeof alerts.read>['body'];

/** Ids that one call accepts. */
const idsAtOnce = 100;

/**
 * Shows alerts as read in every list that is on screen, until the lists are loaded again.
 * @returns shows those that were unread as unread again
 */
function showRead(queryClient: QueryClient, isRead: (alert: Alert) => boolean): () => void {
  const marked = new Set<string>();
  const edit = (change: (alert: Alert) => Alert) =>
    queryClient.setQueriesData<Reply<typeof alerts.list>>(
      { queryKey: ['alerts', 'list'] },
      (reply) => reply && { ...reply, alerts: reply.alerts.map(change) },
    );
  edit((alert) => {
    if (alert.read || !isRead(alert)) return alert;
    marked.add(alert._id);
    return { ...alert, read: true };
  });
  return () => void edit((alert) => (marked.has(alert._id) ? { ...alert, read: false } : alert));
}

/** Ids of the unread alerts of a filter, one page of them. */
async function unreadOf(filter: Record<string, unknown>): Promise<string[]> {
  const { alerts: found } = await call(alerts.list, {
    query: { ...filter, read: ['false'], page: 1, pageSize: idsAtOnce },
  });
  return found.map(({ _id }) => _id);
}

/** Marks the selected alerts as read, in batches. A filter selects those that are unread now. */
async function readSelected(
  selection: Selected['selection'],
  read: (ids: string[]) => Promise<void>,
): Promise<void> {
  if ('ids' in selection) {
    for (let start = 0; start < selection.ids.length; start += idsAtOnce)
      await read(selection.ids.slice(start, start + idsAtOnce));
    return;
  }
  const { filter } = selection;
  const values = filter['read'];
  if (Array.isArray(values) && !values.includes('false')) return;
  let previous: string | undefined;
  for (let ids = await unreadOf(filter); ids.length > 0;) {
    // A batch that is unread again was marked by nothing: another call would not change it.
    if (ids[0] === previous) throw new Error('The alerts stayed unread.');
    previous = ids[0];
    // The next batch are those that are still unread.
    await read(ids);
    ids = await unreadOf(filter);
  }
}

/** Marks alerts as read for the user. The lists change at once, the number of unread alerts with the reply. */
export function useMarkRead() {
  const queryClient = useQueryClient();

  async function send(body: Body, isRead: (alert: Alert) => boolean): Promise<void> {
    const rollback = showRead(queryClient, isRead);
    try {
      const { unread } = await call(alerts.read, { body });
      queryClient.setQueryData(unreadQuery.queryKey, unread);
    } catch (error) {
      rollback();
      throw error;
    }
  }

  const readIds = (ids: string[]) => send({ ids }, ({ _id }) => ids.includes(_id));
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: (mark: () => Promise<void>) => mark(),
    onError: (error) => void toast.error('Failed to mark as read', messageOf(error, 'Please try again.')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['alerts', 'list'] }),
  });
  /** The failure is shown in a toast. */
  const run = (mark: () => Promise<void>) => void mutateAsync(mark).catch(() => undefined);

  return {
    busy,
    one: ({ _id, read }: Alert) => !read && run(() => readIds([_id])),
    /** All alerts up to the newest one that is shown: later ones stay unread. */
    allUntil: (newest: string) => run(() => send({ all: true, until: newest }, ({ _id }) => _id <= newest)),
    /** @param onDone runs when all of them are read */
    selected: (selection: Selected['selection'], onDone: () => void) =>
      run(async () => {
        await readSelected(selection, readIds);
        onDone();
      }),
  };
}
