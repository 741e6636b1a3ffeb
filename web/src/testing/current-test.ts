// oxlint-disable-next-line no-restricted-imports -- of the tests, which run in Node
import { AsyncLocalStorage } from 'node:async_hooks';

interface CurrentTest {
  name: string;
  hasEnded: boolean;
}

/** The test whose code or page runs, also after its end: timers and promises keep it. */
const current = new AsyncLocalStorage<CurrentTest>();

/** Runs a test with its hooks. */
export async function runAsCurrent(name: string, test: () => Promise<void>): Promise<void> {
  const scope = { name, hasEnded: false };
  try {
    await current.run(scope, test);
  } finally {
    scope.hasEnded = true;
  }
}

/** Whether the test has ended that the caller belongs to. */
export const currentTestHasEnded = (): boolean => current.getStore()?.hasEnded === true;

/** @throws when the test that the caller belongs to has ended; its pages are closed, and another test may run */
export function requireRunningTest(): void {
  const test = current.getStore();
  if (test?.hasEnded === true) throw new Error(`The test '${test.name}' has ended.`);
}

/**
 * Makes `fetch` fail for pages of a test that has ended, as for a closed page: another test must neither answer their
 * requests nor be changed by the answers, such as the end of a session.
 * @returns restores `fetch`
 */
export function endRequestsWithTest(): () => void {
  const { fetch: inner } = globalThis;
  globalThis.fetch = async (...request) => {
    requireRunningTest();
    const response = await inner(...request);
    requireRunningTest();
    return response;
  };
  return () => {
    globalThis.fetch = inner;
  };
}

// Tests without a mocked network.
endRequestsWithTest();
