import { sql } from 'kysely';
import { whileHeld } from '../held-row.ts';
import type { TestApi } from '../start-api.ts';

/** Makes calls that contend for the lock of an account. @returns their results */
export const atTheSameMoment = <T>(
  api: TestApi,
  accountId: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> =>
  whileHeld(
    api,
    {
      as: 'system',
      take: (trx) => sql`select id from account where id = ${accountId} for update`.execute(trx),
    },
    calls,
  );
