import { UnreachableError } from './errors.ts';
import { liveState } from '../live/live-state.ts';

/** Behind the login the state of the socket shows more reliably than the browser whether the server answers. */
const isReachable = (): boolean =>
  location.pathname.startsWith('/dashboard') ? liveState.get() === 'live' : navigator.onLine;

const outdated = new WeakSet<Error>();

/** Whether code failed to load although the server answers: a new version has replaced the file, and only a reload helps. */
export const isOutdated = (error: unknown): boolean => error instanceof Error && outdated.has(error);

/**
 * Handles failures to load the code of a page or a part. While the server answers, a new version has replaced the old files: the
 * router recognizes the browser's message and reloads the application. While the server does not answer, a reload
 * would show the browser's error page: another message prevents it, and the page shows that message with Retry.
 */
export function keepPageWhileUnreachable(): () => void {
  const onFailure = ({ payload }: WindowEventMap['vite:preloadError']) => {
    if (isReachable()) outdated.add(payload);
    else payload.message = new UnreachableError(payload).message;
  };
  addEventListener('vite:preloadError', onFailure);
  return () => removeEventListener('vite:preloadError', onFailure);
}
