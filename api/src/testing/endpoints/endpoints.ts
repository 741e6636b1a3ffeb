import type { ServedEndpoint } from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import type { InjectOptions } from 'fastify';
import { sample } from './sample.ts';

/** All endpoints of the contract by name, as in `jobs.list`. */
export const allEndpoints: [string, ServedEndpoint][] = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, endpoint]): [string, ServedEndpoint] => [`${noun}.${name}`, endpoint]),
);

export const isWrite = ({ method }: Pick<ServedEndpoint, 'method'>): boolean => method !== 'GET';

/** A body selects rows by ids or by a filter, not by both. */
const bodyOf = (body: object): object => {
  const { filter, ...rest } = body as { filter?: unknown };
  return 'ids' in rest || filter === undefined ? rest : body;
};

/** The path of the endpoint with this id, and 1 for other parameters, such as versions. */
export const pathOf = ({ path }: Pick<ServedEndpoint, 'path'>, id: string): string =>
  path.replace(':id', id).replaceAll(/:\w+/gu, '1');

/** The path of the endpoint as OpenAPI writes it. */
export const documentedPath = ({ path }: Pick<ServedEndpoint, 'path'>): string =>
  path.replaceAll(/:(\w+)/gu, '{$1}');

/** A request to the endpoint with this id in path, query and body. */
export function requestOf(endpoint: ServedEndpoint, id: string): InjectOptions & { url: string } {
  const { method, query, body } = endpoint;
  const parameters = query ? Object.entries(sample(query, id) as Record<string, unknown>) : [];
  const search = new URLSearchParams(
    Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])),
  ).toString();
  const url = `${pathOf(endpoint, id)}${search ? `?${search}` : ''}`;
  return { method, url, ...(body ? { body: bodyOf(sample(body, id) as object) } : {}) };
}
