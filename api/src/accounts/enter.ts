import type { Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import type { Kysely } from 'kysely';
import { activityRow } from '../lib/activity/record-activity.ts';
import { type NewSession, type SignedIn, startSession } from '../sessions/sessions.ts';

/** Where a request comes from. */
export type Device = Pick<NewSession, 'userAgent' | 'address'>;

export interface Entered extends SignedIn {
  /** The organisation whose invitation was used. */
  joined: string | null;
}

interface Entry {
  accountId: string;
  organizationId: string;
  device: Device;
  /** `account.signed-up` or `account.signed-in`. */
  action: 'account.signed-up' | 'account.signed-in';
  joined?: boolean;
  /** The session that this one goes on from. */
  continues?: string;
}

/** Starts a session in an organisation and writes it down in its log, in the caller's transaction. */
export async function enter(system: Kysely<Schema>, entry: Entry): Promise<Entered> {
  const { accountId, organizationId, device } = entry;
  const signedIn = await startSession(
    { system },
    { accountId, organizationId, ...device, ...(entry.continues ? { continues: entry.continues } : {}) },
  );
  const actor = actorOf(signedIn.user);
  const caller = { accountId, organizationId, actor, address: device.address, tokenId: null };
  const rows = [
    activityRow(caller, { action: entry.action, noun: 'accounts', nounId: accountId, name: actor }),
  ];
  if (entry.joined) {
    rows.push(
      activityRow(caller, {
        action: 'member.joined',
        noun: 'organization',
        nounId: accountId,
        name: actor,
        detail: { role: signedIn.user.role },
      }),
    );
  }
  await system.insertInto('activity').values(rows).execute();
  return { ...signedIn, joined: entry.joined ? organizationId : null };
}
