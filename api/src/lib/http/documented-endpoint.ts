import type { ServedEndpoint, ServedTable } from '@riskboard/contract';
import { Accepted, contract } from '@riskboard/contract/schemas';

/** JSON schemas of headers, by name. */
export type HeaderSchemas = Readonly<Record<string, { type: string; description: string }>>;

/** Headers of a request, and of its replies by status. */
export interface DocumentedHeaders {
  request: HeaderSchemas;
  reply: Readonly<Record<string, HeaderSchemas>>;
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const byId = new Map<string, ServedEndpoint>(
  Object.entries(contract).flatMap(([noun, table]) =>
    Object.entries(table).map(([name, endpoint]): [string, ServedEndpoint] => [
      `${noun}${capitalized(name)}`,
      endpoint,
    ]),
  ),
);
const ids = new Map([...byId].map(([id, endpoint]) => [endpoint, id]));

/** The noun and the name of the endpoint in the contract, as in `vulnerabilitiesList`. */
export const operationId = (endpoint: ServedEndpoint): string => ids.get(endpoint) ?? '';
export const endpointOf = (id = ''): ServedEndpoint | undefined => byId.get(id);

/** Whether the endpoint compares `If-Match` with the version of the record. */
export const checksVersion = ({ versioned, method, reply }: ServedEndpoint): boolean =>
  versioned === true && method !== 'GET' && reply[201] === undefined;

/** Whether the endpoint creates a record that another endpoint of the table shows. */
export const hasLocation = ({ path, reply }: ServedEndpoint, table: ServedTable): boolean =>
  reply[201] !== undefined &&
  Object.values(table).some((other) => other.method === 'GET' && other.path === `${path}/:id`);

const header = (type: string, description: string) => ({ type, description });

const ifMatch = header(
  'string',
  'The `ETag` of the version that is changed; another version gets 412. What follows the version in an `ETag` is not compared.',
);
const ifNoneMatch = header(
  'string',
  'An `ETag`, or `*`: 304 without a body if the reply would still have it.',
);
const prefer = header(
  'string',
  '`wait=N` waits up to N seconds (at most 30) for the job and answers with its result.',
);
const idempotencyKey = header(
  'string',
  'A new UUIDv7 for each record. A repeat with the key of a record that exists answers with it as it is now, and changes nothing; 409: it was deleted since. Other values are ignored, and keys after 30 days.',
);
const etag = header('string', 'The version of the record, for `If-Match`.');
const etagOfReply = header(
  'string',
  'The version of the record, for `If-Match`, and a hash of the reply, for `If-None-Match`: `"3-pZGm1Av0IEBKARcz"`. The hash also changes with scores, counts and related records, which have no version here.',
);
const location = header('string', 'The path of the created record.');
const jobLocation = header('string', 'The path of the job.');
const preferenceApplied = header('string', 'The seconds of `Prefer: wait` that applied.');
const rateLimits = {
  'X-RateLimit-Limit': header('integer', 'Calls that are accepted in a minute.'),
  'X-RateLimit-Remaining': header('integer', 'Calls that are left of them.'),
  'X-RateLimit-Reset': header('integer', 'Seconds until they are counted from the beginning.'),
};
const retryAfter = header('integer', 'Seconds after which the call may succeed.');

/** The headers that the table of endpoints implies. */
export function documentedHeaders(
  endpoint: ServedEndpoint,
  { locatesCreated }: { locatesCreated: boolean },
): DocumentedHeaders {
  const { versioned, createsOnce, method, path, reply } = endpoint;
  const acceptsJob = reply[202] === Accepted;
  const waits = acceptsJob && reply[200] !== undefined;
  const shown: HeaderSchemas =
    versioned && method !== 'DELETE' ? { ETag: method === 'GET' ? etagOfReply : etag } : {};
  const limits: HeaderSchemas = path.startsWith('/api/health/') ? {} : rateLimits;
  const waited: HeaderSchemas = waits ? { 'Preference-Applied': preferenceApplied } : {};
  return {
    request: {
      ...(checksVersion(endpoint) && { 'If-Match': ifMatch }),
      ...(versioned && method === 'GET' && { 'If-None-Match': ifNoneMatch }),
      ...(waits && { Prefer: prefer }),
      ...(createsOnce && { 'Idempotency-Key': idempotencyKey }),
    },
    reply: {
      200: { ...shown, ...waited, ...limits },
      201: { ...shown, ...(locatesCreated && { Location: location }), ...limits },
      202: { ...(acceptsJob && { Location: jobLocation }), ...waited, ...limits },
      412: { ETag: etag },
      429: { 'Retry-After': retryAfter, ...limits },
      '5xx': { 'Retry-After': retryAfter },
    },
  };
}
