import type { FastifyInstance, RouteOptions } from 'fastify';
import { z } from 'zod';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that routes of the api accept at this path; none for an unknown path. */
    methodsOf(path: string): string[];
  }
}

interface ApiPath {
  pattern: RegExp;
  params: unknown;
  methods: Set<string>;
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', String.raw`\.`).replaceAll(/:(\w+)/gu, '(?<$1>[^/]+)')}$`, 'u');

/** Whether the path has these parameters in a form that the route accepts: a malformed id is an unknown path. */
function matches({ pattern, params }: ApiPath, path: string): boolean {
  const found = pattern.exec(path);
  if (found === null) return false;
  return !(params instanceof z.ZodType) || params.safeParse({ ...found.groups }).success;
}

/** Notes the methods of each path of the api, for the reply to a request with another method. */
export function noteMethods(app: FastifyInstance): void {
  const paths = new Map<string, ApiPath>();
  app.addHook('onRoute', ({ url, method, schema }: RouteOptions) => {
    if (!url.startsWith('/api/') || url.includes('*')) return;
    const known = paths.get(url) ?? { pattern: patternOf(url), params: schema?.params, methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    paths.set(url, known);
  });
  app.decorate('methodsOf', (path) => {
    // A path without parameters comes before one whose parameter would match it.
    const exact = paths.get(path);
    const found = exact ? [exact] : [...paths.values()].filter((one) => matches(one, path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].toSorted();
  });
}
