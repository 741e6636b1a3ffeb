import type { Endpoint, Facets, ListField, ListFields, Reply } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { addressOf, call } from '../../lib/call.ts';
import { filterQuery, withFilter, type Words } from '../../lib/list-filter.ts';
import type { ArrangedColumn } from '../../lib/list-layout.ts';
import {
  dataPageSizes,
  listStateSchema,
  type AnyListState,
  type ListState,
  type ListStateSchema,
} from '../../lib/list-state.ts';
import type { ColumnMeta, ListColumn } from '../list-columns.ts';

/**
 * The one kit of lists. A list is declared once, beside its page:
 *
 *     export const threatsView = defineListView<Threat>()({
 *       route: '/dashboard/threats', noun: 'threats', label: 'Threats',
 *       list: threatList,                                   // the contract's declaration, or { fields, standard }
 *       calls: { list: threats.list, facets: threats.facets, export: threats.export },
 *       rows: (reply) => reply.threats,
 *       row: { id: (threat) => threat._id, name: (threat) => threat.name },
 *       columns: [
 *         { field: 'name', rowHeader: true, cell: (threat) => <Link …>{threat.name}</Link> },
 *         { field: 'riskLevel', cell: (threat) => <RiskBadge … /> },
 *         { field: 'updatedAt', hidden: true, cell: (threat) => <Time … /> },
 *         { id: 'actions', label: 'Actions', hideLabel: true, cell: (threat) => <ThreatMenu … /> },
 *       ],
 *       words: { threatTypeId: (value) => threatTypes[value] },
 *       extra: { fileId: z.uuid().optional().catch(undefined) },
 *       texts: { search: 'Search threats', empty: 'No threats found.', failure: 'Failed to load threats.' },
 *     });
 *
 * The route takes its schema, the page its query; everything else is `ListPage`:
 *
 *     validateSearch: threatsView.schema,
 *     search: { middlewares: [stripSearchParams(threatsView.initial)] },
 *     loaderDeps: ({ search }) => search,
 *     loader: ({ context, deps }) => void context.queryClient.prefetchQuery(threatsView.query(deps)),
 *
 *     const query = useQuery(threatsView.query(search));
 *     <ListPage view={threatsView} query={query} search={search}
 *       onSearch={(search, how) => void navigate({ search, ...how })} … />
 */
export interface ListViewSpec<
  F extends ListFields,
  Row,
  L extends Endpoint,
  E extends z.ZodRawShape,
  P extends z.ZodRawShape,
> {
  /** Route of the list; saved views and the table's layout are kept by it. */
  route: string;
  /** First part of the query keys (house rule 1), so that events mark them stale. */
  noun: string;
  /** Names the table. */
  label: string;
  /** What rows are called, as in '12 threats'; absent: rows. */
  many?: string;
  /** A `defineList` of the contract, or fields of the web's own. */
  list: { readonly fields: F; readonly standard: string };
  /** `facets` absent: only fields with known values are offered as filters, without counts; `export` absent: none. */
  calls: { list: L; facets?: Endpoint; export?: Endpoint };
  /** Sent with every call of the list and never shown, as `imported: 'true'` of the data lists. */
  base?: Readonly<Record<string, string>>;
  rows: (reply: Reply<L>) => readonly Row[];
  row: { id: (row: Row) => string; name: (row: Row) => string };
  columns: readonly ViewColumn<F, Row>[];
  /** Fields offered as filters, in this order; absent: every one that can be. */
  filters?: readonly (keyof F & string)[];
  /** Values of a field as people read them; absent: as they are. */
  words?: { readonly [K in keyof F]?: (value: string) => string | undefined };
  /** Narrows the list beyond its fields; goes to the API and into the address. */
  extra?: E;
  /** State of the page in the address that is not the list's, as an open panel. */
  pageState?: P;
  /** Rows a page may show; the first is the standard (spec 9, Paging). */
  pageSizes?: readonly number[];
  /** The spec's words; `search` absent: the list has no search. */
  texts: { search?: string; empty: string; failure: string };
}

interface ColumnLook<Row> {
  cell: (row: Row) => ReactNode;
  /** Not shown until a person chooses it. */
  hidden?: boolean;
  /** Screens from this width on show the column; absent: every screen. */
  from?: ColumnMeta['from'];
  /** Absent: numbers stand right. */
  align?: ColumnMeta['align'];
}

/** A column of a list: one of its fields, or something of the page's own such as the row menu, which stands last. */
export type ViewColumn<F extends ListFields, Row> = ColumnLook<Row> &
  (
    | {
        field: keyof F & string;
        /** Names its row: stands first, always. */
        rowHeader?: boolean;
        /** Where the spec's word differs from the field's. */
        label?: string;
      }
    | { id: string; label: string; hideLabel?: boolean; last?: boolean }
  );

/** A column as the table needs it. */
export interface TableColumn<Row extends object> extends ArrangedColumn {
  readonly id: string;
  readonly label: string;
  /** Field of the list that it shows. */
  readonly field?: string | undefined;
  readonly column: ListColumn<Row>;
}

/** A declared list. `State` is what stands in the address, `R` what the server answers. */
export interface ListView<Row extends object, State extends ListState, R> {
  readonly route: string;
  readonly noun: string;
  readonly label: string;
  readonly many: string;
  readonly fields: ListFields;
  readonly standard: string;
  readonly schema: z.ZodType<State>;
  /** The state of an address that says nothing: what `stripSearchParams` leaves out. */
  readonly initial: State;
  readonly extra: readonly string[];
  readonly pageSizes: readonly number[];
  readonly columns: readonly TableColumn<Row>[];
  /** Fields offered as filters. */
  readonly filters: readonly string[];
  readonly words: Words;
  readonly row: { id: (row: Row) => string; name: (row: Row) => string };
  readonly texts: { search?: string; empty: string; failure: string };
  readonly calls: { facets?: Endpoint; export?: Endpoint };
  readonly rows: (reply: R) => readonly Row[];
  /** Filters as the API takes them, the base among them: what exports, facets and bulk actions get. */
  readonly filter: (state: State) => Record<string, unknown>;
  /** Values and counts of a field under the filters of the others; null: nobody counts them. */
  readonly facet: (state: State, field: string, text: string) => ReturnType<typeof facetQuery> | null;
  /** How many rows there are without any filter. */
  readonly all: (params?: Record<string, string>) => ReturnType<typeof pageQuery<R>>;
  /** One page of the list; `params` for lists below a record. */
  readonly query: (state: State, params?: Record<string, string>) => ReturnType<typeof pageQuery<R>>;
}

/** State of a list in the address: `StateOf<typeof threatsView>`. */
export type StateOf<V> = V extends { schema: z.ZodType<infer State> } ? State : never;

interface PageQuery<R> {
  queryKey: readonly unknown[];
  ask: (signal: AbortSignal) => Promise<R>;
}

const pageQuery = <R>({ queryKey, ask }: PageQuery<R>) =>
  queryOptions<R>({
    queryKey,
    queryFn: ({ signal }) => ask(signal),
    // Old rows stand until the new ones are here.
    placeholderData: keepPreviousData,
  });

const facetQuery = (queryKey: readonly unknown[], from: (signal: AbortSignal) => Promise<Facets>) =>
  queryOptions<Facets>({
    queryKey,
    queryFn: ({ signal }) => from(signal),
    placeholderData: keepPreviousData,
  });

/** A call whose fields only the list's own schemas know. */
const ask = call as unknown as <T>(
  endpoint: Endpoint,
  input: { params?: Record<string, string>; query: Record<string, unknown>; signal: AbortSignal },
) => Promise<T>;

/** Whether a filter of the field can be offered: its values must be known or be asked for. */
const canFilter = (field: ListField, facets: boolean) =>
  field.kind !== 'text' && (facets || field.kind !== 'choice' || field.values !== undefined);

function tableColumn<F extends ListFields, Row extends object>(
  fields: F,
  column: ViewColumn<F, Row>,
): TableColumn<Row> {
  const { cell, hidden, from, align } = column;
  if (!('field' in column)) {
    const { id, label, hideLabel, last = true } = column;
    const meta: ColumnMeta = { label, hideLabel, from, align: align ?? (last ? 'right' : 'left') };
    const fixed = last ? 'last' : undefined;
    return { id, label, hidden, fixed, column: { id, meta, cell: ({ row }) => cell(row.original) } };
  }
  const { field: id, rowHeader } = column;
  const field = fields[id];
  const label = column.label ?? field?.label ?? id;
  const meta: ColumnMeta = {
    label,
    from,
    rowHeader,
    align: align ?? (field?.kind === 'number' ? 'right' : 'left'),
    sortable: field?.sortable !== false,
  };
  const fixed = rowHeader === true ? 'first' : undefined;
  return { id, field: id, label, hidden, fixed, column: { id, meta, cell: ({ row }) => cell(row.original) } };
}

/** Declares a list of `Row`s; see `ListViewSpec`. */
export const defineListView =
  <Row extends object>() =>
  <
    const F extends ListFields,
    L extends Endpoint,
    // oxlint-disable-next-line typescript/no-empty-object-type -- no further fields unless the list names some
    E extends z.ZodRawShape = {},
    // oxlint-disable-next-line typescript/no-empty-object-type -- likewise
    P extends z.ZodRawShape = {},
  >(
    spec: ListViewSpec<F, Row, L, E, P>,
  ) => {
    type State = z.output<ListStateSchema<F, E & P>>;
    const { list, calls, pageSizes = dataPageSizes, base = {} } = spec;
    const { fields, standard } = list;
    const schema = listStateSchema({
      fields,
      standard,
      pageSizes,
      extra: { ...spec.extra, ...spec.pageState } as E & P,
    });
    const extra = Object.keys(spec.extra ?? {});
    const words: Words = (field, value) => spec.words?.[field]?.(value) ?? value;
    const filter = (state: State) => ({
      ...filterQuery(fields, state as unknown as AnyListState, extra),
      ...base,
    });
    const facets = calls.facets !== undefined;
    const many = spec.many ?? 'rows';
    return {
      ...spec,
      many,
      fields,
      standard,
      schema,
      initial: schema.parse({}),
      extra,
      pageSizes,
      words,
      filter,
      columns: spec.columns.map((column) => tableColumn(fields, column)),
      filters: (spec.filters ?? Object.keys(fields)).filter((name) => {
        const field = fields[name];
        return field !== undefined && canFilter(field, facets);
      }),
      facet: (state: State, field: string, text: string) => {
        const { facets: endpoint } = calls;
        if (endpoint === undefined) return null;
        // Its own filter does not narrow a facet, so it is no part of the question.
        const others = filter(
          withFilter(state as unknown as AnyListState, field, { values: [] }) as unknown as State,
        );
        const query = { ...others, field: [field], ...(text !== '' && { facetSearch: text }) };
        return facetQuery([spec.noun, 'facets', endpoint.path, query], (signal) =>
          ask<Facets>(endpoint, { query, signal }),
        );
      },
      all: (params: Record<string, string> = {}) => {
        const query = { page: 1, pageSize: 1, ...base };
        return pageQuery<Reply<L>>({
          queryKey: [spec.noun, 'list', addressOf(calls.list, { params }), query],
          ask: (signal) => ask<Reply<L>>(calls.list, { params, query, signal }),
        });
      },
      query: (state: State, params: Record<string, string> = {}) => {
        const { page, pageSize, sort } = state;
        const query = { page, pageSize, sort, ...filter(state) };
        return pageQuery<Reply<L>>({
          queryKey: [spec.noun, 'list', addressOf(calls.list, { params }), query],
          ask: (signal) => ask<Reply<L>>(calls.list, { params, query, signal }),
        });
      },
    };
  };
