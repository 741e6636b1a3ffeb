import { type ChangedEvent, changedEvent, entities, type RelationsChange } from '@riskboard/contract';
import {
  lockRelated,
  type OrganizationTransaction,
  type RelatedRecords,
  relatedNouns,
  type RelationChange,
} from '@riskboard/db';
import { plural } from '@riskboard/domain';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Values } from '../lib/columns.ts';
import { Failure } from '../lib/http/failure.ts';
import type { Caller } from '../lib/security/caller.ts';
import { missingRecords } from './find.ts';

/** Ids in the spelling of the database, so that two spellings of one id count once. */
const lower = (ids: readonly string[] = []): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

export const relationChangeOf = ({ add, remove }: RelationsChange): RelationChange => ({
  add: { threats: lower(add?.threats), vulnerabilities: lower(add?.vulnerabilities) },
  remove: { threats: lower(remove?.threats), vulnerabilities: lower(remove?.vulnerabilities) },
});

/** What a bulk edit of assets relates and unrelates; undefined when it changes no relations. */
export function bulkRelationsOf(change: Values): RelationChange | undefined {
  const ids = (name: string) => change[name] as string[] | undefined;
  const names = ['addThreats', 'addVulnerabilities', 'removeThreats', 'removeVulnerabilities'];
  if (names.every((name) => ids(name) === undefined)) return undefined;
  return relationChangeOf({
    add: { threats: ids('addThreats'), vulnerabilities: ids('addVulnerabilities') },
    remove: { threats: ids('removeThreats'), vulnerabilities: ids('removeVulnerabilities') },
  });
}

/**
 * Whether the records to relate exist; a relation to remove may be to a deleted record. Locks the records: callers hold
 * lockAssets.
 * @throws Failure 422 on the list that has missing ones, with their ids
 */
export async function requireRecords(
  trx: OrganizationTransaction,
  { add }: RelationChange,
  pathOf: (noun: keyof RelationChange['add']) => string,
): Promise<void> {
  const known = await lockRelated(trx, add);
  for (const noun of relatedNouns) {
    const found = new Set(known[noun]);
    const missing = add[noun].filter((id) => !found.has(id));
    if (missing.length > 0)
      throw new Failure('invalid', `One of the ${entities[noun].many} does not exist.`, {
        details: [missingRecords(pathOf(noun), missing, entities[noun])],
      });
  }
}

/** Writes what happened to the records into the activity log: one record by its id, several by their number. */
export async function recordRelated(
  trx: OrganizationTransaction,
  caller: Caller,
  records: readonly RelatedRecords[],
): Promise<void> {
  for (const { noun, table, ids, changes } of records) {
    const { one, many } = entities[noun];
    const [id] = ids;
    if (ids.length > 1 || id === undefined) {
      await recordActivity(trx, caller, {
        action: `${table}.updated-many`,
        nounId: null,
        name: plural(ids.length, one, many),
        detail: { count: ids.length, changes },
      });
      continue;
    }
    const { name } = await trx
      .selectFrom(table)
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await recordActivity(trx, caller, { action: `${table}.updated`, nounId: id, name, detail: { changes } });
  }
}

export const relatedEvents = (caller: Caller, records: readonly RelatedRecords[]): ChangedEvent[] =>
  records.map(({ table, ids }) =>
    changedEvent(`${table}.changed`, { action: 'updated', by: caller.accountId }, ids),
  );
