import type { Endpoint, Facets, ListFields, ListRoute, Reply } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/api/call.ts';
import { filterQuery, withFilter } from '../../lib/list/list-filter.ts';
import {
  dataPageSizes,
  listStateSchema,
  type AnyListState,
  type ListState,
  type ListStateSchema,
} from '../../lib/list/list-state.ts';
import type { SearchSchema, SearchShape } from '../../lib/list/search-schema.ts';

/**
 * Source of a list: its URL state and its calls. Routes need only this before the page has loaded, so each source
 * is in its own file without components:
 *
 *     export const threatsSource = defineListSource({
 *       route: '/dashboard/threats', noun: 'threats',
 *       list: threatList,                                   // the contract's declaration, or { fields, standard }
 *       calls: { list: threats.list, facets: threats.facets, export: threats.export },
 *       rows: (reply) => reply.threats,
 *       extra: { fileId: id },
 *     });
 *
 *     validateSearch: threatsSource.schema,
 *     search: { middlewares: [stripSearchParams(threatsSource.initial)] },
 *     loaderDeps: ({ search }) => search,
 *     loader: ({ context, deps }) => void context.queryClient.prefetchQuery(threatsSource.query(deps)),
 */
export interface ListSourceSpec<
  F extends ListFields,
  Row extends object,
  L extends Endpoint,
  E extends SearchShape,
  P extends SearchShape,
> {
  /** Route of the list; key of its saved views and table layout. */
  route: ListRoute | `${ListRoute | '/dashboard/batches'}/$${string}`;
  /** First part of the query keys: the noun of the table and of the endpoints, so that events mark them stale. */
  noun: string;
  /** A `defineList` of the contract, or own fields. */
  list: { readonly fields: F; readonly standard: string };
  /** Default sort of the page; absent: that of the list. */
  sort?: `${'' | '-'}${keyof F & string}`;
  /**
   * Without `facets`, only fields with known values are offered as filters, without counts; without `export` there is
   * no export.
   */
  calls: { list: L; facets?: Endpoint; export?: Endpoint };
  /** Sent with every call of the list and never shown, such as `imported: 'true'` of the data lists. */
  base?: Readonly<Record<string, string>>;
  rows: (reply: Reply<L>) => readonly Row[];
  /** Extra filters that are not fields; part of the API query and the URL. */
  extra?: E;
  /** URL state of the page that does not belong to the list, such as an open panel. */
  pageState?: P;
  /** Page sizes; the first is the default (spec 9, Paging). */
  pageSizes?: readonly number[];
}

/** A list with its URL state and calls. `State` is the URL state, `R` the server's reply. */
export interface ListSource<
  Row extends object,
  State extends ListState,
  R,
  F extends ListFields = ListFields,
> {
  readonly route: string;
  readonly noun: string;
  readonly fields: F;
  /** Default sort of the contract, also of saved views that name no sort. */
  readonly standard: string;
  readonly schema: SearchSchema<State>;
  /** The default state, which `stripSearchParams` omits from the URL. */
  readonly initial: State;
  /** Names of the extra filters. */
  readonly extra: readonly string[];
  readonly pageSizes: readonly number[];
  readonly calls: { facets?: Endpoint; export?: Endpoint };
  readonly rows: (reply: R) => readonly Row[];
  /** Query parameters of the filters including `base`, for exports, facets and bulk actions. */
  readonly filter: (state: State) => Record<string, unknown>;
  /** Values and counts of a field under the filters of the other fields; null when the list has no facets. */
  readonly facet: (
    state: State,
    field: string,
    input: { text: string; params?: PathParams | undefined },
  ) => ReturnType<typeof listQuery<Facets>> | null;
  /** One page of the list; `params` for lists below a record. */
  readonly query: (state: State, params?: PathParams) => ReturnType<typeof listQuery<R>>;
  /** The first row of the list under its filters with the number of all of them, however many. */
  readonly exact: (state: State, params?: PathParams) => ReturnType<typeof listQuery<R>>;
  /** The unfiltered list with one row, for the total count. */
  readonly all: (params?: PathParams) => ReturnType<typeof listQuery<R>>;
}

export type PathParams = Readonly<Record<string, string>>;

/** URL state of a list: `StateOf<typeof threatsSource>`. */
export type StateOf<S> = S extends { schema: SearchSchema<infer State> } ? State : never;

interface EndpointInput {
  params?: PathParams;
  query: Record<string, unknown>;
  signal?: AbortSignal;
}

/** `call` with untyped input; the list's schemas validate it. */
const ask = call as unknown as <T>(endpoint: Endpoint, input: EndpointInput) => Promise<T>;

const listQuery = <T>(key: readonly [noun: string, what: string], endpoint: Endpoint, input: EndpointInput) =>
  queryOptions<T>({
    queryKey: [...key, addressOf(endpoint, { params: { ...input.params } }), input.query],
    queryFn: ({ signal }) => ask<T>(endpoint, { ...input, signal }),
    // Old rows stay until the new ones arrive.
    placeholderData: keepPreviousData,
  });

/** Declares the source of a list; see `ListSourceSpec`. */
export function defineListSource<
  const F extends ListFields,
  Row extends object,
  L extends Endpoint,
  E extends SearchShape = {},
  P extends SearchShape = {},
>(
  spec: ListSourceSpec<F, Row, L, E, P>,
): ListSource<Row, ReturnType<ListStateSchema<F, E & P>['parse']>, Reply<L>, F> {
  type State = ReturnType<ListStateSchema<F, E & P>['parse']>;
  type R = Reply<L>;
  const { route, noun, list, calls, rows, base = {}, pageSizes = dataPageSizes } = spec;
  const { fields, standard } = list;
  const extra = Object.keys(spec.extra ?? {});
  const schema = listStateSchema({
    fields,
    standard: spec.sort ?? standard,
    pageSizes,
    extra: { ...spec.extra, ...spec.pageState } as E & P,
    // Lists of the contract have facets and accept N/A.
    empty: calls.facets !== undefined,
  });
  // The untyped state; the schema has validated it.
  const plain = (state: State) => state as unknown as AnyListState;
  const filterOf = (state: AnyListState) => ({ ...filterQuery(fields, state, extra), ...base });

  return {
    route,
    noun,
    fields,
    standard,
    schema,
    initial: schema.parse({}),
    extra,
    pageSizes,
    calls,
    rows,
    filter: (state: State) => filterOf(plain(state)),
    facet: (state: State, field: string, { text, params }) => {
      if (calls.facets === undefined) return null;
      // A facet is not filtered by its own field.
      const others = filterOf(withFilter(plain(state), field, { values: [] }));
      const query = { ...others, field: [field], ...(text !== '' && { facetSearch: text }) };
      return listQuery<Facets>([noun, 'facets'], calls.facets, { query, ...(params && { params }) });
    },
    query: (state: State, params?: PathParams) => {
      const { page, pageSize, sort } = state;
      const query = { page, pageSize, sort, ...filterOf(plain(state)) };
      return listQuery<R>([noun, 'list'], calls.list, { query, ...(params && { params }) });
    },
    exact: (state: State, params?: PathParams) => {
      const query = { page: 1, pageSize: 1, total: 'exact', ...filterOf(plain(state)) };
      return listQuery<R>([noun, 'list'], calls.list, { query, ...(params && { params }) });
    },
    all: (params?: PathParams) => {
      const query = { page: 1, pageSize: 1, ...base };
      return listQuery<R>([noun, 'list'], calls.list, { query, ...(params && { params }) });
    },
  };
}
