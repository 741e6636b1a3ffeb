import { errors, type Endpoint, type ErrorCode, type Reply, type SchemasOf } from '@riskboard/contract';
import type { z } from 'zod';
import { ApiError, UnreachableError, isErrorReply } from './errors.ts';
import { endSession, refreshSession, accountChanged } from '../session/session.ts';

/** What a call takes: what the endpoint declares, and how to stop it. Query fields are all optional to send. */
export type CallInput<E extends Endpoint> = Declared<SchemasOf<E>, 'params'> &
  (SchemasOf<E> extends { query: infer Q extends z.ZodType } ? { query?: Partial<z.output<Q>> } : unknown) &
  Declared<SchemasOf<E>, 'body'> & { signal?: AbortSignal; headers?: Record<string, string> };

type Declared<S, Part extends string> =
  S extends Record<Part, infer P extends z.ZodType> ? Record<Part, z.input<P>> : unknown;

type Arguments<I> = Partial<I> extends I ? [input?: I] : [input: I];

/** The same with its types forgotten: what goes over the wire. */
interface Request {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

const sessionCodes: ReadonlySet<string> = new Set<ErrorCode>(['session_expired', 'not_signed_in']);

/** Refusals of controls that were shown as usable: the person's standing has changed meanwhile. */
const standingCodes: ReadonlySet<string> = new Set<ErrorCode>(['role_too_low', 'second_factor_required']);

/**
 * Calls an endpoint of the contract: `await call(reports.files, { query: { page: 2 } })`.
 * An ended session is renewed once and the call repeated; if it cannot be renewed, the app is told.
 * @throws {ApiError} the server said no
 * @throws {UnreachableError} no answer came
 * @throws {DOMException} AbortError, when `signal` was aborted
 */
export async function call<const E extends Endpoint>(
  endpoint: E,
  ...[input]: Arguments<CallInput<E>>
): Promise<Reply<E>> {
  const request = (input ?? {}) as Request;
  const asked = Date.now();
  const first = await send(endpoint, request);
  if (first.ok) return read<E>(first);
  const error = await errorOf(first);
  if (standingCodes.has(error.code)) accountChanged();
  if (!sessionCodes.has(error.code) || endpoint.access === 'public') throw error;
  if (!(await refreshSession(asked))) {
    endSession();
    throw error;
  }
  const second = await send(endpoint, request);
  if (second.ok) return read<E>(second);
  throw await errorOf(second);
}

/** Address of an endpoint with its path parameters and query filled in; for links and uploads too. */
export function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Request = {}): string {
  const path = endpoint.path.replaceAll(/:(\w+)/gu, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(Object.entries(query).flatMap(fieldsOf)).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** A multi-value field is repeated, an absent one left out (contract, HTTP: lists). */
function fieldsOf([name, value]: [string, unknown]): string[][] {
  const values = (Array.isArray(value) ? value : [value]) as (string | number | boolean | undefined)[];
  return values.filter((one) => one !== undefined).map((one) => [name, String(one)]);
}

async function send(endpoint: Endpoint, request: Request): Promise<Response> {
  const { body, signal, headers } = request;
  try {
    return await fetch(addressOf(endpoint, request), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      credentials: 'same-origin',
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new UnreachableError(error);
  }
}

async function read<E extends Endpoint>(response: Response): Promise<Reply<E>> {
  const json = response.headers.get('content-type')?.includes('json') === true;
  return (json ? await response.json() : undefined) as Reply<E>;
}

/** Error of a reply, whoever wrote it: a proxy in front of the API does not speak the contract. */
async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (isErrorReply(body)) return new ApiError(body);
  const message = response.status >= 502 ? errors.unavailable.fallback : errors.internal.fallback;
  return new ApiError({ statusCode: response.status, code: 'unknown', message, requestId: '' });
}
