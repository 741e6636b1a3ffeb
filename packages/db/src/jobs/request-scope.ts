import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string | null>();

/** Runs work for a request, whose id its jobs get; a job passes the id of its own request on. */
export const runInRequest = <T>(requestId: string | null, work: () => T): T => scope.run(requestId, work);

/** The id of the request that the current code works for. */
export const currentRequest = (): string | null => scope.getStore() ?? null;
