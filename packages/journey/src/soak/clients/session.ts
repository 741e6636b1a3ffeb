import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, enter, send } from './calls.ts';
import type { Crowd } from './client.ts';

export interface SoakSession {
  origin(): string;
  cookie(): string;
  send(path: string, init: RequestInit): Promise<Answer>;
}

/** A session that changes the api after an unknown answer, and logs in again where it is refused. */
export async function openSession(
  { origins, email, isOver }: Pick<Crowd, 'origins' | 'email' | 'isOver'>,
  client: number,
): Promise<SoakSession> {
  let at = client % origins.length;
  let cookie = '';
  const origin = (): string => origins[at] ?? '';
  async function logIn(): Promise<void> {
    for (;;) {
      const found = await enter(origin(), 'login', email);
      if (found !== undefined) cookie = found;
      if (found !== undefined || isOver()) return;
      at = (at + 1) % origins.length;
      await sleep(500);
    }
  }
  await logIn();
  return {
    origin,
    cookie: () => cookie,
    async send(path, init) {
      const answer = await send(origin(), path, { ...init, cookie });
      if (answer.outcome === 'unknown') at = (at + 1) % origins.length;
      if (answer.status === 401 || answer.status === 429) await logIn();
      return answer;
    },
  };
}
