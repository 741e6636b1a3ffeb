import type { ApiToken, Role } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import type { InjectOptions } from 'fastify';
import { tokenHash } from '../tokens/find-token.ts';
import { type Answer, freshAddress, type Person } from './person.ts';
import type { TestApi } from './start-api.ts';

export interface MadeToken extends ApiToken {
  token: string;
}

/** A token as the settings make one. */
export async function makeToken(person: Person, body: object = {}): Promise<MadeToken> {
  const answer = await person.post('/api/auth/tokens', { name: 'a script', ...body });
  if (answer.statusCode !== 201) throw new Error(`no token: ${answer.statusCode} ${answer.body}`);
  return answer.json<MadeToken>();
}

/** A token put into the database by hand: of a role that its person may not give, or already over. */
export async function plantToken(
  { database }: TestApi,
  { user }: Person,
  { role, expiresAt = new Date(Date.now() + 3_600_000) }: { role: Role; expiresAt?: Date },
): Promise<string> {
  const token = `rb_${newId()}`;
  await database.system
    .insertInto('api_token')
    .values({
      organization_id: user.organizationId,
      id: newId(),
      account_id: user._id,
      name: 'planted',
      role,
      token_hash: tokenHash(token),
      hint: token.slice(-4),
      expires_at: expiresAt,
    })
    .execute();
  return token;
}

/** A program without cookies or origin: `script(api, token)('GET', '/api/jobs')`. */
export const script =
  ({ app }: TestApi, token: string) =>
  (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, options: InjectOptions = {}): Promise<Answer> =>
    app.inject({
      method,
      url,
      remoteAddress: freshAddress(),
      ...options,
      headers: { authorization: `Bearer ${token}`, ...options.headers },
    });
