import { UnreachableError } from './errors.ts';
import { liveState } from '../live/live-state.ts';

/** Behind the login the socket knows better than the browser whether somebody answers. */
const isReachable = (): boolean =>
  location.pathname.startsWith('/dashboard') ? liveState.get() === 'live' : navigator.onLine;

/**
 * What happens when the code of a page cannot be fetched. While the server answers, a new version has taken the old
 * files away: the router knows the browser's words for that and loads everything anew. While nothing answers, loading
 * anew would trade the application for the browser's error page: other words keep the router from it, and the page
 * shows them in its place, with Retry.
 */
export function keepPageWhileUnreachable(): () => void {
  const onFailure = ({ payload }: WindowEventMap['vite:preloadError']) => {
    if (!isReachable()) payload.message = new UnreachableError(payload).message;
  };
  addEventListener('vite:preloadError', onFailure);
  return () => removeEventListener('vite:preloadError', onFailure);
}
