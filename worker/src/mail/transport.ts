import type { Environment } from '@riskboard/contract/environment';
import type { Letter } from './letter.ts';
import { openOutbox } from './outbox.ts';
import { openSmtp } from './smtp.ts';

/** A letter on its way. */
export interface Envelope {
  /** Of the row that asked for it. */
  id: string;
  letter: Letter;
  /** Gives up: it took too long, or the worker ends. */
  signal: AbortSignal;
}

/** How mails leave this house. */
export interface MailTransport {
  /** @returns the file, where it was written to one. @throws when nobody took it, with the code of nodemailer */
  send(envelope: Envelope): Promise<{ file?: string }>;
}

/** SMTP where there is a server, else files in the data folder (contract, Running it: SMTP_URL). */
export const openTransport = ({
  SMTP_URL,
  MAIL_FROM,
  DATA_DIR,
}: Pick<Environment, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>): MailTransport =>
  SMTP_URL === undefined ? openOutbox(DATA_DIR, MAIL_FROM) : openSmtp(SMTP_URL, MAIL_FROM);
