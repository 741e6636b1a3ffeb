import type { Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import type { Email } from '../email.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';

export interface TemplateContext {
  /** Under the system role. */
  system: Kysely<Schema>;
  /** Scheme, host and port of the links. */
  origin: string;
  /** Addresses are confirmed by mail: a mail server is set. */
  verifyEmail: boolean;
}

/**
 * Writes the content of a requested mail, and stores the hash of its link's token if it has one.
 * @returns undefined when the mail is obsolete, for instance because its account or invitation no longer exists
 */
export type EmailTemplate = (context: TemplateContext, mail: OutgoingMail) => Promise<Email | undefined>;

/** "November 21, 2026 at 3:25 AM UTC": in UTC, because the reader's time zone is unknown. */
export const formatTime = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;
