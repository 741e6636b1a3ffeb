import type { ServedEndpoint } from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import type { InjectOptions } from 'fastify';
import { sample } from './sample.ts';

/** The whole table by name, as in `jobs.list`: an endpoint that is added tomorrow is walked tomorrow. */
export const everything: [string, ServedEndpoint][] = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, endpoint]): [string, ServedEndpoint] => [`${noun}.${name}`, endpoint]),
);

export const isWrite = ({ method }: Pick<ServedEndpoint, 'method'>): boolean => method !== 'GET';

/** Rows are named by their ids or by a filter, not by both. */
const bodyOf = (body: object): object => {
  const { filter, ...rest } = body as { filter?: unknown };
  return 'ids' in rest || filter === undefined ? rest : body;
};

/** The endpoint called with this identifier wherever it takes one, in path, query and body. */
export function requestOf(endpoint: ServedEndpoint, id: string): InjectOptions {
  const { method, query, body } = endpoint;
  const asked = query ? Object.entries(sample(query, id) as Record<string, unknown>) : [];
  const search = new URLSearchParams(
    Object.fromEntries(asked.map(([name, value]) => [name, String(value)])),
  ).toString();
  const url = `${endpoint.path.replace(':id', id)}${search ? `?${search}` : ''}`;
  return { method, url, ...(body ? { body: bodyOf(sample(body, id) as object) } : {}) };
}
