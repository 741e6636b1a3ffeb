import type { AccountChange } from '@riskboard/contract';
import { newId, type OutgoingMailTable, type Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';

export interface MailRequest {
  kind: OutgoingMailTable['kind'];
  email: string;
  organizationId?: string;
  /** The invitation; or the account, when the address is not its current one. */
  subjectId?: string;
  /** What changed, for `account-changed`. */
  detail?: AccountChange;
}

/**
 * Requests a mail; a worker creates its link and sends it. The row contains no secret, and the cost is the same with and
 * without an account. Call `notifyMailSender` after the commit.
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
