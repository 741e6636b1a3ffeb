import { views, type SavedView } from '@riskboard/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { call } from '../../lib/api/call.ts';
import { isMissing } from '../../lib/api/errors.ts';
import type { ListLayout } from '../../lib/list/list-layout.ts';
import { wholeList, type AnyListState } from '../../lib/list/list-state.ts';
import { useKeptState } from '../../lib/list/use-kept-state.ts';
import { useListLayout } from '../../lib/list/use-list-layout.ts';
import type { ListControl } from './list-control.ts';
import { isChanged, isPristine, layoutOfView, stateOfView, unknownOf } from './saved-view.ts';

/** A changed layout of a view that is not saved. */
interface Tried {
  readonly view: string;
  readonly layout: ListLayout;
}

/**
 * The open saved view and the table layout: the view's, or else the user's own. A URL with only a view is filled with
 * the view's filters. A list that is opened without parameters opens in the user's default view; one with `wholeList`
 * does not.
 */
export function useOpenView({ view, state }: ListControl, onApply: (state: AnyListState) => void) {
  const id = state.view === wholeList ? undefined : state.view;
  const { views, open, settled } = useViews(view, id);
  const [own, setOwn] = useListLayout(view.route);
  const [tried, setTried] = useKeptState<Tried | undefined>(`layout ${view.route}`, undefined);
  const pristine = isPristine(view, state);

  const layout = useMemo(() => {
    if (open === undefined) return own;
    if (tried !== undefined && tried.view === open._id) return tried.layout;
    return layoutOfView(view, open, own);
  }, [view, open, tried, own]);

  const standard = views.find(({ isDefault, own: mine }) => isDefault && mine);

  // Decided once, when the list is opened, so that the user can later show the whole list.
  const fresh = useRef(pristine && state.view === undefined);
  useEffect(() => {
    if (state.view !== undefined || !pristine) {
      fresh.current = false;
      if (open === undefined || !pristine) return;
      const meant = stateOfView(view, open);
      if (!isPristine(view, meant)) onApply(meant);
      return;
    }
    if (!settled) return;
    const isOpened = fresh.current;
    fresh.current = false;
    if (standard === undefined) return;
    // A link without parameters in the open list, such as that of the navigation, shows the whole list.
    onApply(isOpened ? stateOfView(view, standard) : { ...state, view: wholeList });
  });

  return {
    views,
    open,
    layout,
    setLayout: (next: ListLayout) =>
      open === undefined ? setOwn(next) : setTried({ view: open._id, layout: next }),
    /** The list differs from the open view. */
    changed: open !== undefined && isChanged(view, open, { state, layout, own }),
    /** Columns and filters of the open view that the list does not have. */
    unknown: open === undefined ? [] : unknownOf(view, open),
    /** The view in the URL does not exist. */
    isMissing: id !== undefined && settled && open === undefined,
    /**
     * A state that the user has chosen, for the URL: without filters it has `wholeList`, so that Back does not open the
     * default view instead.
     */
    chosenState: (next: AnyListState): AnyListState =>
      next.view !== undefined && next.view !== wholeList
        ? next
        : { ...next, view: standard !== undefined && isPristine(view, next) ? wholeList : undefined },
  };
}

/** The user's own views of a list, and the view in the URL. */
const viewsQuery = (list: string, id: string | undefined) =>
  queryOptions({
    queryKey: ['views', list, id ?? null],
    queryFn: async ({ signal }) => {
      const query = { list, ...(id !== undefined && { _id: id }) };
      return (await call(views.list, { query, signal })).views;
    },
    placeholderData: keepPreviousData,
  });

function useViews({ route, saved }: { route: string; saved: boolean }, id: string | undefined) {
  const query = useQuery({ ...viewsQuery(route, id), enabled: saved });
  const { data } = query;
  return {
    views: data ?? [],
    /** Unknown until the answer for this view has arrived. */
    settled: query.isSuccess && !query.isPlaceholderData,
    open: data?.find((view) => view._id === id),
  };
}

/** With the id of a deleted view to restore it under its address. */
type NewView = Pick<SavedView, 'name' | 'search' | 'isDefault'> & Partial<Pick<SavedView, '_id'>>;
type Change = Partial<Pick<SavedView, 'name' | 'search' | 'isDefault'>>;

/** Mutations of the views of a list; each refreshes the menu, also when its view no longer exists. */
export function useViewActions(list: string) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['views', list] });
  const onError = (error: unknown) => {
    if (isMissing(error)) void refresh();
  };
  return {
    /** Other tabs and devices change views too, without an event. */
    refresh,
    create: useMutation({
      mutationFn: (body: NewView) => call(views.create, { body: { list, ...body } }),
      onSuccess: refresh,
    }),
    update: useMutation({
      mutationFn: ({ id, change }: { id: string; change: Change }) =>
        call(views.update, { params: { id }, body: change }),
      onSuccess: refresh,
      onError,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call(views.delete, { params: { id } }),
      onSuccess: refresh,
      onError,
    }),
  };
}
