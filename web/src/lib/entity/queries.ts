import type { Endpoint, Graph, RecordSources, RelatedRecords } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { DetailOf, Entity, ImportableEntity } from './entity.ts';

interface Input {
  params?: { id: string };
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls an endpoint of an entity; the caller names the type of the reply, which depends on the entity. */
export const callEntity = call as unknown as <T>(endpoint: Endpoint, input: Input) => Promise<T>;

/** One record with all of its fields. */
export const detailQuery = <E extends Entity>({ noun, calls }: Pick<E, 'noun' | 'calls'>, id: string) =>
  queryOptions({
    queryKey: [noun, 'detail', id],
    queryFn: ({ signal }) => callEntity<DetailOf<E>>(calls.get, { params: { id }, signal }),
  });

/** What each report says about a record; the report whose fields the record carries comes first. */
export const sourcesQuery = ({ noun, calls }: ImportableEntity, id: string) =>
  queryOptions({
    queryKey: [noun, 'sources', id],
    queryFn: ({ signal }) => callEntity<RecordSources>(calls.sources, { params: { id }, signal }),
  });

/** Records that reports relate to a record. */
export const relatedQuery = ({ noun, calls }: ImportableEntity, id: string) =>
  queryOptions({
    queryKey: [noun, 'related', id],
    queryFn: ({ signal }) => callEntity<RelatedRecords>(calls.related, { params: { id }, signal }),
  });

/** A record, its related assets, the records related to those, and the records that reports relate to it. */
export const graphQuery = ({ noun, calls }: ImportableEntity, id: string) =>
  queryOptions({
    queryKey: [noun, 'graph', id],
    queryFn: ({ signal }) => callEntity<Graph>(calls.graph, { params: { id }, signal }),
  });
