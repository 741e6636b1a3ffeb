import { accounts } from '@riskboard/contract';
import { UnreachableError } from '../api/errors.ts';

const lock = 'riskboard.refresh';
const key = 'riskboard.refreshes';

/**
 * Milliseconds that an answer to a renewal may take. It is repeated once, so that all tabs wait for less than the 10 seconds
 * in which the server answers the same renewal again (rotate-session).
 */
const answerWithin = 4000;

let running: Promise<boolean> | undefined;
/** @param reason why the session has ended; absent: it expired or was ended */
type SessionEndListener = (reason?: string) => void;
const listeners = new Set<SessionEndListener>();

/**
 * Renews the session, one call at a time over all tabs: sending a rotated refresh cookie twice ends the session
 * (contract, Accounts). A renewal by any tab since the refused call was sent counts.
 * @param before `refreshCount()` when the refused call was sent
 * @returns false when the session has ended
 * @throws {UnreachableError} no answer arrived; the session may still be valid
 */
export function refreshSession(before: number): Promise<boolean> {
  if (refreshCount() !== before) return Promise.resolve(true);
  running ??= exclusively(async () => refreshCount() !== before || renew()).finally(() => {
    running = undefined;
  });
  return running;
}

/**
 * Sends a call whose success replaces the session. No tab renews the session meanwhile: the server would refuse the
 * replaced refresh cookie and remove the new cookies. The success counts as a renewal, so that calls which were refused
 * with the replaced session are repeated.
 */
export function replaceSession(send: () => Promise<Response>): Promise<Response> {
  return exclusively(async () => {
    const response = await send();
    if (response.ok) remember();
    return response;
  });
}

let previous: Promise<unknown> = Promise.resolve();

/** Web Locks exist only in secure contexts; on plain http only the calls of one tab are coordinated. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks !== undefined) return locks.request(lock, work);
  const result = previous.then(work);
  previous = result.catch(() => undefined);
  return result;
}

async function sendRenewal(): Promise<Response> {
  const { method, path } = accounts.refresh;
  return fetch(path, { method, credentials: 'same-origin', signal: AbortSignal.timeout(answerWithin) });
}

async function renew(): Promise<boolean> {
  let response: Response;
  try {
    // At once: the server may have replaced the refresh cookie, and only the answer was lost.
    response = await sendRenewal().catch(sendRenewal);
  } catch (error) {
    throw new UnreachableError(error);
  }
  // An unread body would block one of the browser's few connections.
  await response.body?.cancel();
  if (response.ok) remember();
  if (response.status >= 500 || response.status === 429) throw new UnreachableError(response.status);
  return response.ok;
}

/** Renewals by this tab that could not be stored: without storage, each tab renews on its own. */
let unstored = 0;

/**
 * Number of renewals of the session by all tabs. A count instead of a time: the clock may be set back, and monotonic
 * clocks differ between tabs.
 */
export function refreshCount(): number {
  try {
    return Number(localStorage.getItem(key) ?? 0) + unstored;
  } catch {
    return unstored;
  }
}

function remember(): void {
  try {
    localStorage.setItem(key, String(Number(localStorage.getItem(key) ?? 0) + 1));
  } catch {
    unstored += 1;
  }
}

/** Reports that the session has ended, with the reason if the server gave one. */
export function endSession(reason?: string): void {
  for (const listener of listeners) listener(reason);
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
export function onSessionEnd(listener: SessionEndListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
