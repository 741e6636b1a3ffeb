import { setTimeout as sleep } from 'node:timers/promises';

/** An answer that is not 503. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Calls as the web application makes them: after 503 or a lost connection again, no sooner than Retry-After says. */
export interface PatientClient {
  call(
    method: string,
    path: string,
    options?: { body?: object | FormData; version?: number },
  ): Promise<Answer>;
  /** Status of every answer, the repeated ones included. */
  statuses: number[];
}

const mostTries = 40;

export function patientClient(origins: readonly string[]): PatientClient {
  const statuses: number[] = [];
  let cookie = '';
  let calls = 0;
  async function once(method: string, path: string, options: { body?: object | FormData; version?: number }) {
    const { body, version } = options;
    const origin = origins[(calls += 1) % origins.length] ?? '';
    const isForm = body instanceof FormData;
    return fetch(`${origin}/api${path}`, {
      method,
      headers: {
        origin,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  }
  return {
    statuses,
    async call(method, path, options = {}) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const answer = await once(method, path, options);
        statuses.push(answer.status);
        const text = await answer.text();
        const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
        if (answer.ok && cookies.length > 0) cookie = cookies.join('; ');
        if (answer.status !== 503)
          return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
        const after = Number(answer.headers.get('retry-after'));
        if (!(after > 0)) throw new Error(`${method} ${path} was answered with 503 without Retry-After.`);
        // The statement was not slow, so a shorter pause than a person's is enough.
        await sleep(after * 20);
      }
      throw new Error(`${method} ${path} was answered with 503 ${mostTries} times.`);
    },
  };
}
