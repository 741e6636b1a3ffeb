import { contract, type Endpoint } from '@riskboard/contract';
import type { InjectOptions } from 'fastify';
import { sample } from './sample.ts';

/** The whole table by name, as in `jobs.list`: an endpoint that is added tomorrow is walked tomorrow. */
export const everything: [string, Endpoint][] = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, endpoint]): [string, Endpoint] => [`${noun}.${name}`, endpoint]),
);

export const isWrite = ({ method }: Endpoint): boolean => method !== 'GET';

/** Rows are named by their ids or by a filter, not by both. */
const bodyOf = (body: object): object => {
  const { filter, ...rest } = body as { filter?: unknown };
  return 'ids' in rest || filter === undefined ? rest : body;
};

/** The endpoint called with this identifier wherever it takes one, in path, query and body. */
export function requestOf(endpoint: Endpoint, id: string): InjectOptions {
  const { method, query, body } = endpoint;
  const asked = query ? Object.entries(sample(query, id) as Record<string, unknown>) : [];
  const search = new URLSearchParams(
    Object.fromEntries(asked.map(([name, value]) => [name, String(value)])),
  ).toString();
  const url = `${endpoint.path.replace(':id', id)}${search ? `?${search}` : ''}`;
  return { method, url, ...(body ? { body: bodyOf(sample(body, id) as object) } : {}) };
}
