import { accounts } from '@riskboard/contract';
import { UnreachableError } from '../api/errors.ts';

const lock = 'riskboard.refresh';
const key = 'riskboard.refreshed';

let running: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

/**
 * Renews the session, one call at a time over all tabs: sending a rotated refresh cookie twice ends the session
 * (contract, Accounts). A renewal by any tab after `since` counts.
 * @param since when the refused call was sent, milliseconds since the epoch
 * @returns false when the session has ended
 * @throws {UnreachableError} no answer arrived; the session may still be valid
 */
export function refreshSession(since: number): Promise<boolean> {
  if (lastRefresh() >= since) return Promise.resolve(true);
  running ??= exclusively(async () => lastRefresh() >= since || renew()).finally(() => {
    running = undefined;
  });
  return running;
}

/** Web Locks exist only in secure contexts; on plain http the tabs are not coordinated. */
function exclusively(work: () => Promise<boolean>): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  return locks === undefined ? work() : locks.request(lock, work);
}

async function renew(): Promise<boolean> {
  const { method, path } = accounts.refresh;
  let response: Response;
  try {
    response = await fetch(path, { method, credentials: 'same-origin' });
  } catch (error) {
    throw new UnreachableError(error);
  }
  // An unread body would block one of the browser's few connections.
  await response.body?.cancel();
  if (response.ok) remember();
  if (response.status >= 500 || response.status === 429) throw new UnreachableError(response.status);
  return response.ok;
}

function lastRefresh(): number {
  try {
    return Number(localStorage.getItem(key) ?? 0);
  } catch {
    return 0;
  }
}

function remember(): void {
  try {
    localStorage.setItem(key, String(Date.now()));
  } catch {
    // Storage may be disabled; each tab then renews on its own.
  }
}

/** Reports that the session has ended. */
export function endSession(): void {
  for (const listener of listeners) listener();
}

const accountListeners = new Set<() => void>();

/** Reports that the signed-in account has changed: a role was lost, or a second factor is now required. */
export function accountChanged(): void {
  for (const listener of accountListeners) listener();
}

/** @returns unsubscribes */
export function onAccountChange(listener: () => void): () => void {
  accountListeners.add(listener);
  return () => accountListeners.delete(listener);
}

/** @returns unsubscribes */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
