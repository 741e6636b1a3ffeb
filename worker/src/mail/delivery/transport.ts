import type { Environment } from '@riskboard/contract/environment';
import type { Email } from '../email.ts';
import { openOutbox } from './outbox.ts';
import { openSmtp } from './smtp.ts';

export interface Delivery {
  /** Id of the row in outgoing_mail. */
  id: string;
  email: Email;
  /** Aborted when the delivery takes too long or the worker shuts down. */
  signal: AbortSignal;
}

/** Delivers mails to an SMTP server or to files. */
export interface MailTransport {
  /**
   * @returns the path of the file, if the mail was written to one
   * @throws an error with nodemailer's code and, if the server answered, its response code
   */
  send(delivery: Delivery): Promise<{ file?: string }>;
}

/** SMTP if SMTP_URL is set, otherwise files in the data folder (contract, Running it: SMTP_URL). */
export const openTransport = ({
  SMTP_URL,
  MAIL_FROM,
  DATA_DIR,
}: Pick<Environment, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): MailTransport =>
  SMTP_URL === undefined ? openOutbox(DATA_DIR, MAIL_FROM) : openSmtp(SMTP_URL, MAIL_FROM);
