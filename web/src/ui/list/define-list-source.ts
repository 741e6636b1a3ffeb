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
 * What stands behind a list: its address and its calls. It is all that a route needs before the page has come, so it
 * stands in a file of its own, without components:
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
  /** Route of the list; saved views and the table's layout are kept by it. */
  route: ListRoute | `${ListRoute}/$${string}`;
  /** First part of the query keys (house rule 1), so that events mark them stale. */
  noun: string;
  /** A `defineList` of the contract, or fields of the web's own. */
  list: { readonly fields: F; readonly standard: string };
  /** `facets` absent: only fields with known values are offered as filters, without counts; `export` absent: none. */
  calls: { list: L; facets?: Endpoint; export?: Endpoint };
  /** Sent with every call of the list and never shown, as `imported: 'true'` of the data lists. */
  base?: Readonly<Record<string, string>>;
  rows: (reply: Reply<L>) => readonly Row[];
  /** Narrows the list beyond its fields; goes to the API and into the address. */
  extra?: E;
  /** State of the page in the address that is not the list's, as an open panel. */
  pageState?: P;
  /** Rows a page may show; the first is the standard (spec 9, Paging). */
  pageSizes?: readonly number[];
}

/** A list with its address and its calls. `State` is what stands in the address, `R` what the server answers. */
export interface ListSource<
  Row extends object,
  State extends ListState,
  R,
  F extends ListFields = ListFields,
> {
  readonly route: string;
  readonly noun: string;
  readonly fields: F;
  readonly standard: string;
  readonly schema: SearchSchema<State>;
  /** The state of an address that says nothing: what `stripSearchParams` leaves out. */
  readonly initial: State;
  /** Names of the extra filters. */
  readonly extra: readonly string[];
  readonly pageSizes: readonly number[];
  readonly calls: { facets?: Endpoint; export?: Endpoint };
  readonly rows: (reply: R) => readonly Row[];
  /** Filters as the API takes them, the base among them: what exports, facets and bulk actions get. */
  readonly filter: (state: State) => Record<string, unknown>;
  /** Values and counts of a field under the filters of the others; null: nobody counts them. */
  readonly facet: (
    state: State,
    field: string,
    asked: { text: string; params?: PathParams | undefined },
  ) => ReturnType<typeof listQuery<Facets>> | null;
  /** One page of the list; `params` for lists below a record. */
  readonly query: (state: State, params?: PathParams) => ReturnType<typeof listQuery<R>>;
  /** The same without any filter, of one row: how many there are in all. */
  readonly all: (params?: PathParams) => ReturnType<typeof listQuery<R>>;
}

export type PathParams = Readonly<Record<string, string>>;

/** State of a list in the address: `StateOf<typeof threatsSource>`. */
export type StateOf<S> = S extends { schema: SearchSchema<infer State> } ? State : never;

interface Asked {
  params?: PathParams;
  query: Record<string, unknown>;
  signal?: AbortSignal;
}

/** A call whose fields only the list's own schemas know. */
const ask = call as unknown as <T>(endpoint: Endpoint, input: Asked) => Promise<T>;

const listQuery = <T>(key: readonly [noun: string, what: string], endpoint: Endpoint, asked: Asked) =>
  queryOptions<T>({
    queryKey: [...key, addressOf(endpoint, { params: { ...asked.params } }), asked.query],
    queryFn: ({ signal }) => ask<T>(endpoint, { ...asked, signal }),
    // Old rows stand until the new ones are here.
    placeholderData: keepPreviousData,
  });

/** Declares where a list comes from; see `ListSourceSpec`. */
export function defineListSource<
  const F extends ListFields,
  Row extends object,
  L extends Endpoint,
  // oxlint-disable-next-line typescript/no-empty-object-type -- nothing further unless the list names some
  E extends SearchShape = {},
  // oxlint-disable-next-line typescript/no-empty-object-type -- likewise
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
    standard,
    pageSizes,
    extra: { ...spec.extra, ...spec.pageState } as E & P,
    // An API that counts values is one of the contract's lists, which take N/A.
    empty: calls.facets !== undefined,
  });
  // Inside, a state is its names and values; which there are is the schema's to say.
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
      // Its own filter does not narrow a facet, so it is no part of the question.
      const others = filterOf(withFilter(plain(state), field, { values: [] }));
      const query = { ...others, field: [field], ...(text !== '' && { facetSearch: text }) };
      return listQuery<Facets>([noun, 'facets'], calls.facets, { query, ...(params && { params }) });
    },
    query: (state: State, params?: PathParams) => {
      const { page, pageSize, sort } = state;
      const query = { page, pageSize, sort, ...filterOf(plain(state)) };
      return listQuery<R>([noun, 'list'], calls.list, { query, ...(params && { params }) });
    },
    all: (params?: PathParams) => {
      const query = { page: 1, pageSize: 1, ...base };
      return listQuery<R>([noun, 'list'], calls.list, { query, ...(params && { params }) });
    },
  };
}
