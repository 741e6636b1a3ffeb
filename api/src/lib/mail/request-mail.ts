import { type AccountChange, mailWaitingTopic } from '@riskboard/contract';
import { newId, type OutgoingMailTable, type Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import type { Deps } from '../../deps.ts';

export interface MailRequest {
  kind: OutgoingMailTable['kind'];
  email: string;
  organizationId?: string;
  /** The invitation, where it is one; the account, where the address is not (any more) its own. */
  subjectId?: string;
  /** What changed, for `account-changed`. */
  detail?: AccountChange;
}

/**
 * Writes down that a mail is to be sent; a worker makes its link and sends it. The row holds no secret, and an address
 * without an account costs the same as one with. Nudge after the commit.
 */
export async function requestMail(db: Kysely<Schema>, mail: MailRequest): Promise<void> {
  await db
    .insertInto('outgoing_mail')
    .values({
      id: newId(),
      kind: mail.kind,
      email: mail.email,
      organization_id: mail.organizationId ?? null,
      subject_id: mail.subjectId ?? null,
      detail: mail.detail ?? '',
    })
    .execute();
}

/** A nudge that is lost delays a mail until the next look for waiting ones; nobody waits for it here. */
export const notifyMailWorker = ({ relay }: Pick<Deps, 'relay'>): Promise<void> =>
  relay.publish(mailWaitingTopic, {}).catch(() => undefined);
