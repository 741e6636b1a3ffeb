import type { OutgoingMailTable, Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import type { Letter } from './letter.ts';

/** A mail that was asked for. */
export interface WaitingMail {
  id: string;
  kind: OutgoingMailTable['kind'];
  email: string;
  organizationId: string | null;
  subjectId: string | null;
  detail: string;
  createdAt: Date;
  /** How often it has been begun, this time included. */
  tries: number;
}

export interface Desk {
  /** Under the system's role. */
  system: Kysely<Schema>;
  /** Where its links lead: scheme, host and port. */
  origin: string;
}

/** Makes the letter, and the secret of its link if it has one. @returns undefined when there is nothing to say any more */
export type WriteLetter = (desk: Desk, mail: WaitingMail) => Promise<Letter | undefined>;

/** "November 21, 2026 at 3:25 AM UTC": readers are anywhere. */
export const moment = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;
