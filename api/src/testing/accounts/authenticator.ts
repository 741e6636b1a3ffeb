import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { password, type Person } from '../person.ts';
import type { TestApi } from '../start-api.ts';

const stepMs = 30_000;

/** A person's authenticator app and recovery codes. */
export interface Authenticator {
  secret: string;
  recoveryCodes: string[];
  /** The code of the step `stepsAway` from the current one. */
  code(stepsAway?: number): string;
  /** A code that is accepted, even if it was used before. */
  fresh(): Promise<string>;
}

export const codeOf = (secret: string, stepsAway = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAway * stepMs });

/** Waits for the next step near the end of one, so that code and verification are in the same step. */
export async function earlyInStep(): Promise<void> {
  const left = stepMs - (Date.now() % stepMs);
  if (left < 3000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

/** Enables a person's second factor through the API. */
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
