import {
  errors,
  signedInAsHeader,
  type Endpoint,
  type ErrorCode,
  type Reply,
  type SchemasOf,
} from '@riskboard/contract';
import type { z } from 'zod';
import { ApiError, UnreachableError, isAccessEnd, isErrorReply, isSessionEnd, lateAnswer } from './errors.ts';
import { isEarlierOwner, pageOwner } from '../session/page-owner.ts';
import {
  accountChanged,
  endSession,
  refreshCount,
  refreshSession,
  replaceSession,
} from '../session/session.ts';

/**
 * Input of a call: what the endpoint declares, an abort signal, and the account and organization that it names, as
 * `ownerOf` does: by default those that the tab shows, with null none. All query fields are optional.
 */
export type CallInput<E extends Endpoint> = Declared<SchemasOf<E>, 'params'> &
  (SchemasOf<E> extends { query: infer Q extends z.ZodType } ? { query?: Partial<z.output<Q>> } : unknown) &
  Declared<SchemasOf<E>, 'body'> & {
    signal?: AbortSignal;
    headers?: Record<string, string>;
    owner?: string | null;
  };

type Declared<S, Part extends string> =
  S extends Record<Part, infer P extends z.ZodType> ? Record<Part, z.input<P>> : unknown;

type Arguments<I> = Partial<I> extends I ? [input?: I] : [input: I];

/** The same without the endpoint's types. */
interface Request {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  owner?: string | null | undefined;
}

/** Milliseconds that the answer to a change may take: longer than the server allows its statements to run. */
const changeWithin = 60_000;

/** Refusals that mean that the account, its organization, role or second factor has changed since the page was loaded. */
const accountCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'role_too_low',
  'second_factor_required',
  'session_changed',
]);

/**
 * Calls an endpoint of the contract: `await call(reports.files, { query: { page: 2 } })`. An expired session is
 * renewed once and the call repeated; if that fails, the session listeners are notified. The answer to a page of another
 * account or organization than the tab shows by then is refused, so that what awaits it does not continue there.
 * @throws {ApiError} the server refused the call
 * @throws {UnreachableError} no answer arrived
 * @throws {DOMException} AbortError, when `signal` was aborted
 */
export async function call<const E extends Endpoint>(
  endpoint: E,
  ...[input]: Arguments<CallInput<E>>
): Promise<Reply<E>> {
  return read<E>(await responseTo(endpoint, input));
}

/** Calls an endpoint as `call` does. @returns the text of the answer, with numbers that `JSON.parse` would round */
export async function callForText<const E extends Endpoint>(
  endpoint: E,
  ...[input]: Arguments<CallInput<E>>
): Promise<string> {
  return (await responseTo(endpoint, input)).text();
}

/** The successful response to a call. @throws as `call` does */
async function responseTo(endpoint: Endpoint, input: Request | undefined): Promise<Response> {
  const request: Request = { owner: pageOwner.get(), ...input };
  const refreshes = refreshCount();
  const shown = request.owner === null ? undefined : pageOwner.get();
  const first = await send(endpoint, request);
  if (isEarlierOwner(shown)) throw lateAnswer();
  if (first.ok) return first;
  const error = await errorOf(first);
  if (isAccessEnd(error) && endpoint.access !== 'public') endSession(error.message);
  if (!isSessionEnd(error) || endpoint.access === 'public') throw error;
  if (!(await refreshSession(refreshes))) {
    endSession();
    throw error;
  }
  const second = await send(endpoint, request);
  if (isEarlierOwner(shown)) throw lateAnswer();
  if (second.ok) return second;
  throw await errorOf(second);
}

/** URL of an endpoint with its path parameters and query; also for links and uploads. */
export function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Request = {}): string {
  const path = endpoint.path.replaceAll(/:(\w+)/gu, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(Object.entries(query).flatMap(fieldsOf)).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Repeats a multi-value field and omits an absent one (contract, HTTP: lists). */
function fieldsOf([name, value]: [string, unknown]): string[][] {
  const values = (Array.isArray(value) ? value : [value]) as (string | number | boolean | undefined)[];
  return values.filter((one) => one !== undefined).map((one) => [name, String(one)]);
}

const send = (endpoint: Endpoint, request: Request): Promise<Response> =>
  endpoint.replacesSession === true
    ? replaceSession(() => fetchReply(endpoint, request))
    : fetchReply(endpoint, request);

/**
 * Limits a change, which would otherwise wait for minutes for an answer that was lost without notice. What is only read is
 * fetched again when the connection returns.
 */
const limitOf = ({ method }: Endpoint): AbortSignal | undefined =>
  method === 'GET' ? undefined : AbortSignal.timeout(changeWithin);

async function fetchReply(endpoint: Endpoint, request: Request): Promise<Response> {
  const { body, headers, owner } = request;
  const signal = request.signal ?? limitOf(endpoint);
  try {
    return await fetch(addressOf(endpoint, request), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(owner !== undefined && owner !== null && { [signedInAsHeader]: owner }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      credentials: 'same-origin',
    });
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw new UnreachableError(error);
  }
}

async function read<E extends Endpoint>(response: Response): Promise<Reply<E>> {
  const json = response.headers.get('content-type')?.includes('json') === true;
  return (json ? await response.json() : undefined) as Reply<E>;
}

/** Error of a failed reply, after reporting a change of the account; the body of a proxy does not follow the contract. */
async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (isErrorReply(body)) {
    if (accountCodes.has(body.code)) accountChanged();
    return new ApiError(body);
  }
  const message = response.status >= 502 ? errors.unavailable.fallback : errors.internal.fallback;
  return new ApiError({ statusCode: response.status, code: 'unknown', message, requestId: '' });
}
