import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { password, type Person } from './person.ts';
import type { TestApi } from './start-api.ts';

const stepMs = 30_000;

/** Somebody's authenticator app and the codes on their note. */
export interface Authenticator {
  secret: string;
  recoveryCodes: string[];
  /** The code of a step that is so many away from this one. */
  code(stepsAway?: number): string;
  /** A code that counts, however many were used before. */
  fresh(): Promise<string>;
}

export const codeOf = (secret: string, stepsAway = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAway * stepMs });

/** Waits out the end of a step, so that the code and the look at it fall into the same one. */
export async function earlyInStep(): Promise<void> {
  const left = stepMs - (Date.now() % stepMs);
  if (left < 3000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

/** Turns a person's second factor on, as the settings do. */
export async function setUpSecondFactor({ database }: TestApi, person: Person): Promise<Authenticator> {
  const { secret } = (await person.post('/api/auth/second-factor/begin', { password })).json<{
    secret: string;
  }>();
  const answer = await person.post('/api/auth/second-factor/confirm', { code: codeOf(secret) });
  if (answer.statusCode !== 200) throw new Error(`no second factor: ${answer.statusCode} ${answer.body}`);
  return {
    secret,
    recoveryCodes: answer.json<{ recoveryCodes: string[] }>().recoveryCodes,
    code: (stepsAway) => codeOf(secret, stepsAway),
    async fresh() {
      await sql`update account set totp_last_step = null where id = ${person.user._id}`.execute(
        database.system,
      );
      return codeOf(secret);
    },
  };
}
