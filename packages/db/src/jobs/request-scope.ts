import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that some code works for. */
export interface RequestScope {
  /** Its jobs get this id; a job passes the id of its own request on. */
  id: string | null;
  /** It may change data, so that its transactions may wait for locks. */
  changesData?: boolean;
}

const scope = new AsyncLocalStorage<RequestScope>();

/** Runs work for a request. */
export const runInRequest = <T>(request: RequestScope, work: () => T): T => scope.run(request, work);

/** The id of the request that the current code works for. */
export const currentRequest = (): string | null => scope.getStore()?.id ?? null;

/** Whether the current code works for a request that may change data. */
export const requestChangesData = (): boolean => scope.getStore()?.changesData ?? false;
