import { withOrganization } from '@riskboard/db';
import type { TestApi } from './start-api.ts';

/** The activity log of an organization, oldest first. */
export const logged = ({ database }: TestApi, organizationId: string) =>
  withOrganization(database, organizationId, (trx) =>
    trx
      .selectFrom('activity')
      .select(['action', 'actor', 'account_id', 'address', 'noun', 'noun_id', 'name', 'via', 'detail'])
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );

export const loggedActions = async (api: TestApi, organizationId: string): Promise<string[]> =>
  (await logged(api, organizationId)).map((entry) => entry.action);
