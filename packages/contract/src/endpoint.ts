import type { z } from 'zod';

/** Roles in rising order of what they may do (contract, Accounts). */
export const roles = ['viewer', 'analyst', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * The least that a caller must be: nobody in particular, a member of whatever role for what is their own (`self`: also
 * while a second factor that the organisation requires is still missing), or a member with at least this role.
 */
export type Access = 'public' | 'self' | Role;

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Fastify path, `:id` for parameters. */
  path: `/api/${string}`;
  access: Access;
  /** Only for a person who signed in: an API token is refused, so that a stolen one cannot outlive its owner's care. */
  sessionOnly?: true;
  summary: string;
  /** What a person reads when what it works on is not there, or nothing better is known (spec 8, Fallback messages). */
  fallback?: string;
  params?: z.ZodType;
  query?: z.ZodType;
  /** JSON body. Uploads say `multipart` and read the stream themselves. */
  body?: z.ZodType;
  multipart?: { field: string };
  headers?: z.ZodType;
  /** Reply schema by status; a status without a JSON body says `null` (streams, empty). */
  reply: Partial<Record<200 | 201 | 202, z.ZodType | null>>;
  /** Requests a minute from one address before 429; absent: the general limit. */
  perMinute?: number;
}

export type EndpointTable = Record<string, Endpoint>;

/** Keeps the literal types of a noun's table while checking its shape. */
export const endpoints = <const T extends EndpointTable>(table: T): T => table;

type Infer<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** What a handler gets and a client sends. */
export interface Call<E extends Endpoint> {
  params: Infer<E['params']>;
  query: Infer<E['query']>;
  body: Infer<E['body']>;
}

/** What a call may come back with, over all its statuses. */
export type Reply<E extends Endpoint> = {
  [S in keyof E['reply']]: E['reply'][S] extends z.ZodType ? z.infer<E['reply'][S]> : undefined;
}[keyof E['reply']];
