import type { Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import type { Kysely } from 'kysely';
import { activityRow } from '../lib/activity/record-activity.ts';
import { type NewSession, type SignedIn, startSession } from '../sessions/sessions.ts';

/** User agent and address of a request. */
export type Device = Pick<NewSession, 'userAgent' | 'address'>;

export interface Entered extends SignedIn {
  /** Id of the organization whose invitation was accepted. */
  joined: string | null;
}

interface Entry {
  accountId: string;
  organizationId: string;
  device: Device;
  action: 'account.signed-up' | 'account.signed-in';
  joined?: boolean;
  /** Id of the session that this one replaces. */
  continues?: string;
}

/** Starts a session in an organization and records it in the activity log, in the caller's transaction. */
export async function enterOrganization(system: Kysely<Schema>, entry: Entry): Promise<Entered> {
  const { accountId, organizationId, device } = entry;
  const signedIn = await startSession(
    { system },
    { accountId, organizationId, ...device, ...(entry.continues ? { continues: entry.continues } : {}) },
  );
  const actor = actorOf(signedIn.user);
  const caller = { accountId, organizationId, actor, address: device.address, tokenId: null };
  const joined = activityRow(caller, {
    action: 'member.joined',
    nounId: accountId,
    name: actor,
    detail: { role: signedIn.user.role },
  });
  const rows = [
    activityRow(caller, { action: entry.action, nounId: accountId, name: actor }),
    ...(entry.joined ? [joined] : []),
  ];
  await system.insertInto('activity').values(rows).execute();
  return { ...signedIn, joined: entry.joined ? organizationId : null };
}
