import type { ApiToken } from '@riskboard/contract';
import type { InjectOptions } from 'fastify';
import { withToken } from './member.ts';
import { type Answer, password, type Person } from '../person.ts';
import type { TestApi } from '../start-api.ts';

export interface MadeToken extends ApiToken {
  token: string;
}

/** Creates a token through the API. */
export async function makeToken(person: Person, body: object = {}): Promise<MadeToken> {
  const answer = await person.post('/api/auth/tokens', { name: 'a script', password, ...body });
  if (answer.statusCode !== 201) throw new Error(`no token: ${answer.statusCode} ${answer.body}`);
  return answer.json<MadeToken>();
}

/** A client with a token, without cookies or origin: `script(api, token)('GET', '/api/jobs')`. */
export const script =
  ({ app }: TestApi, token: string) =>
  (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, options: InjectOptions = {}): Promise<Answer> => {
    const { headers, remoteAddress } = withToken(token);
    return app.inject({
      method,
      url,
      remoteAddress,
      ...options,
      headers: { ...headers, ...options.headers },
    });
  };
