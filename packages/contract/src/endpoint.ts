import type { z } from 'zod';

/** Roles, from the fewest rights to the most (contract, Accounts). */
export const roles = ['viewer', 'analyst', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * The minimum access of a caller. `public`: no session needed. `self`: any member, for their own account and sessions,
 * also while the second factor that the organization requires is missing. A role: a member with at least this role.
 */
export type Access = 'public' | 'self' | Role;

/** An endpoint without its schemas, as the browser loads it. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Fastify path, `:id` for parameters. */
  path: `/api/${string}`;
  access: Access;
  /** A POST that stores nothing: its body is too large for a URL. Viewers may call it. */
  readOnly?: true;
  /** API tokens are refused: a stolen token must not reach accounts, sessions and other tokens. */
  sessionOnly?: true;
  /** The reply to a success has the cookies of a new session, which replaces the caller's. */
  replacesSession?: true;
  /** A public endpoint that reads the session from its cookie: with one, the request needs our origin. */
  usesCookie?: true;
  /** A change that an organization which is being deleted may need: its handler refuses all others (409). */
  whileDeleting?: true;
  /**
   * The record has a version: replies that show the record have it in the `ETag`, that of a GET with a hash of the reply; a
   * change or deletion with a stale `If-Match` gets 412 (contract, HTTP).
   */
  versioned?: true;
  /** A POST that creates a record once for each `Idempotency-Key` of an account (decision 73). */
  createsOnce?: true;
  /** The body has fields of a record: a value that equals the stored one is no change and needs not be valid. */
  comparesStored?: true;
  /** Error message for a missing record and for errors without a better message (spec 8, Fallback messages). */
  fallback?: string;
  /** Form field of an upload; the handler reads the stream itself. */
  multipart?: { field: string };
  /** Requests a minute from one address before 429; absent: the general limit. */
  perMinute?: number;
}
export type EndpointTable = Readonly<Record<string, Endpoint>>;

/** What an endpoint accepts and returns. */
export interface EndpointSchemas {
  /** For openapi.json only, so it is not among the data that the browser loads. */
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  /** JSON body. Uploads have `multipart` instead. */
  body?: z.ZodType;
  /** By status: the schema of a JSON reply, or the contents of a streamed one, which are documented only. */
  reply: Partial<Record<200 | 201 | 202, z.ZodType | Streamed>>;
}
/** Schemas of what is streamed, by media type. */
export type Streamed = Readonly<Record<`${string}/${string}`, z.ZodType>>;
export type SchemaTable = Readonly<Record<string, EndpointSchemas>>;

/** An endpoint with its schemas: what the API serves. */
export type ServedEndpoint = Endpoint & EndpointSchemas;
export type ServedTable = Readonly<Record<string, ServedEndpoint>>;

declare const schemas: unique symbol;

/** Carries the types of an endpoint's schemas. The property exists for the compiler only. */
interface Typed<S extends EndpointSchemas> {
  readonly [schemas]: S;
}

/**
 * Declares the endpoints of a noun: `endpoints<typeof threatSchemas>()({ list: { method: 'GET', ... } })`.
 * An endpoint without schemas does not compile, nor do schemas without an endpoint.
 */
export const endpoints =
  <S extends SchemaTable>() =>
  <const T extends Readonly<Record<keyof S, Endpoint>>>(
    table: T & Readonly<Record<Exclude<keyof T, keyof S>, never>>,
  ) =>
    table as unknown as { readonly [K in keyof S]: T[K] & Typed<S[K]> };

/** Types of what an endpoint accepts and returns, by the type of its declaration. */
export type SchemasOf<E extends Endpoint> = E extends Typed<infer S> ? S : EndpointSchemas;

type Infer<S> = S extends z.ZodType ? z.infer<S> : undefined;
type Part<S, Name extends string> = S extends Readonly<Record<Name, infer P>> ? Infer<P> : undefined;

/** The validated parts of a request, as a handler receives them. */
export interface Call<E extends Endpoint> {
  params: Part<SchemasOf<E>, 'params'>;
  query: Part<SchemasOf<E>, 'query'>;
  body: Part<SchemasOf<E>, 'body'>;
}

/** The body of a successful reply, over all statuses. */
export type Reply<E extends Endpoint> = ReplyOf<SchemasOf<E>['reply']>;
type ReplyOf<R> = { [S in keyof R]: Infer<R[S]> }[keyof R];
