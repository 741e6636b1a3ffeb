import { views, type SavedView } from '@riskboard/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** Views of a list: one's own, and the one whose link was followed. */
const viewsQuery = (list: string, id: string | undefined) =>
  queryOptions({
    queryKey: ['views', list, id ?? null],
    queryFn: async ({ signal }) => {
      const query = { list, ...(id !== undefined && { _id: id }) };
      return (await call(views.list, { query, signal })).views;
    },
    placeholderData: keepPreviousData,
  });

export function useViews({ route, saved }: { route: string; saved: boolean }, id: string | undefined) {
  const query = useQuery({ ...viewsQuery(route, id), enabled: saved });
  const { data } = query;
  return {
    views: data ?? [],
    /** Until the answer for this very view is here, nobody knows whether it is gone. */
    settled: query.isSuccess && !query.isPlaceholderData,
    open: data?.find((view) => view._id === id),
  };
}

type Change = Partial<Pick<SavedView, 'name' | 'search' | 'isDefault'>>;

/** What can be done with the views of a list; each ends with the menu up to date. */
export function useViewActions(list: string) {
  const queryClient = useQueryClient();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ['views', list] });
  return {
    create: useMutation({
      mutationFn: (body: Pick<SavedView, 'name' | 'search' | 'isDefault'>) =>
        call(views.create, { body: { list, ...body } }),
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, change }: { id: string; change: Change }) =>
        call(views.update, { params: { id }, body: change }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call(views.delete, { params: { id } }),
      onSuccess,
    }),
  };
}
