import { bundle, threat, vulnerability } from '@riskboard/worker/testing/stix2';
import type { Outcome } from '../history.ts';

export interface Answer {
  outcome: Outcome;
  status: number | null;
  body: Record<string, unknown>;
}

const answerMs = 40_000;

/** An unavailable server may have committed before its connection was lost. */
const outcomeOf = (status: number): Outcome => {
  if (status < 400) return 'acknowledged';
  return status >= 500 ? 'unknown' : 'failed';
};

export async function send(
  origin: string,
  path: string,
  { cookie, ...init }: RequestInit & { cookie?: string },
): Promise<Answer> {
  try {
    const answer = await fetch(`${origin}/api${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), origin, ...(cookie ? { cookie } : {}) },
      signal: AbortSignal.timeout(answerMs),
    });
    const text = await answer.text();
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { outcome: outcomeOf(answer.status), status: answer.status, body };
  } catch {
    return { outcome: 'unknown', status: null, body: {} };
  }
}

export const json = (method: string, body: object, headers: Record<string, string> = {}) => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

/** Logs in or signs up on one origin. @returns the cookies; undefined without a session */
export async function enter(
  origin: string,
  how: 'signup' | 'login',
  email: string,
): Promise<string | undefined> {
  const account = { email, password: 'correct horse battery staple' };
  const owner = how === 'signup' ? { firstName: 'Ada', organization: 'Northquay' } : {};
  try {
    const answer = await fetch(`${origin}/api/auth/${how}`, {
      ...json('POST', { ...account, ...owner }, { origin }),
      signal: AbortSignal.timeout(answerMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) return undefined;
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  } catch {
    return undefined;
  }
}

/** A report with these numbers of objects; no two have the same bytes. */
export const reportWith = (count: number, from: number): string =>
  bundle([
    ...Array.from({ length: count }, (_, index) =>
      vulnerability({ cves: [`CVE-2021-${10_000 + ((from + index) % 80_000)}`] }),
    ),
    threat({ name: `Soak threat ${from % 50}` }),
  ]);
