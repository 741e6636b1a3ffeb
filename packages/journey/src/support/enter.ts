import { repeatUnavailable } from './repeat-unavailable.ts';

const password = 'correct horse battery staple';

/** Calls an api as one person, with the path after `/api`. */
export type Call = (path: string, init?: RequestInit) => Promise<Response>;

/** Signs up or logs in. @throws when the api refuses it */
export async function enter(origin: string, how: 'signup' | 'login', email: string): Promise<Call> {
  const body = JSON.stringify({ email, password, ...(how === 'signup' && { firstName: 'Ada' }) });
  const headers = { origin, 'content-type': 'application/json' };
  const answer = await repeatUnavailable(() =>
    fetch(`${origin}/api/auth/${how}`, { method: 'POST', headers, body }),
  );
  if (!answer.ok) throw new Error(`${how} was answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return (path, init = {}) =>
    repeatUnavailable(() => fetch(`${origin}/api${path}`, { ...init, headers: { origin, cookie } }));
}

/** The body of an upload of a report. */
export function reportForm(name: string, content: string): RequestInit {
  const body = new FormData();
  body.set('stixFile', new Blob([content]), name);
  return { method: 'POST', body };
}
