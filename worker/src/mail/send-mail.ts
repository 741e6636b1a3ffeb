import type { Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { writeAccountChanged } from './account-changed.ts';
import { writeInvitation } from './invitation.ts';
import { writeEmailChange } from './email-change.ts';
import { dropMail, leaseMs, mostTries, pauseAfter, postponeMail, takeMail } from './outgoing-mail.ts';
import { writePasswordReset } from './password-reset.ts';
import type { MailTransport } from './transport.ts';
import type { WaitingMail, WriteLetter } from './write-letter.ts';

const writers: Readonly<Record<WaitingMail['kind'], WriteLetter>> = {
  'password-reset': writePasswordReset,
  invitation: writeInvitation,
  'account-changed': writeAccountChanged,
  'email-change': writeEmailChange,
};

export interface PostOffice {
  /** Under the system's role. */
  system: Kysely<Schema>;
  transport: MailTransport;
  /** Where links lead: scheme, host and port. */
  origin: string;
  log: Logger;
}

/** Half of the lease: whoever takes the mail over never meets the one who sends it. */
const sendMs = leaseMs / 2;

export interface ClosingTime {
  /** No new mail is begun. */
  closing: AbortSignal;
  /** What is under way is given up. */
  tooLate: AbortSignal;
}

/** Sends every mail that is due, one after the other. */
export async function sendWaitingMails(office: PostOffice, { closing, tooLate }: ClosingTime): Promise<void> {
  while (!closing.aborted) {
    const mail = await takeMail(office.system);
    if (!mail) return;
    await sendMail(office, mail, tooLate);
  }
}

async function sendMail(office: PostOffice, mail: WaitingMail, tooLate: AbortSignal): Promise<void> {
  const { system, transport, origin } = office;
  const log = office.log.child({ mail: mail.id, kind: mail.kind });
  // Every one who took it before has died over it.
  if (mail.tries > mostTries) {
    log.error('mail given up: no worker lived to send it');
    return dropMail(system, mail);
  }
  try {
    const letter = await writers[mail.kind]({ system, origin }, mail);
    if (letter) {
      const limit = AbortSignal.any([tooLate, AbortSignal.timeout(sendMs)]);
      const { file } = await transport.send({ id: mail.id, letter, signal: limit });
      if (file === undefined) log.info({ subject: letter.subject }, 'mail sent');
      // A warning, and the file in its words: that is what a terminal shows of `npm start`.
      else log.warn({ subject: letter.subject, file }, `SMTP_URL is not set: mail written to ${file}`);
    }
  } catch (error) {
    return fail(office, mail, error);
  }
  await dropMail(system, mail);
}

async function fail(office: PostOffice, mail: WaitingMail, error: unknown): Promise<void> {
  const details = {
    mail: mail.id,
    kind: mail.kind,
    to: mail.email,
    tries: mail.tries,
    reason: reasonOf(error),
  };
  if (mail.tries < mostTries && !isRefusal(error)) {
    office.log.warn({ ...details, againInSeconds: pauseAfter(mail.tries) }, 'mail not sent');
    return postponeMail(office.system, mail);
  }
  office.log.error(details, 'mail given up');
  await dropMail(office.system, mail);
}

interface SendError {
  code?: unknown;
  responseCode?: unknown;
}

/** The server refused this recipient or message for good (RFC 5321, 4.2.1). What ails the connection or sign-in may heal. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as SendError;
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return aboutMail && typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 503;
}

/** Tokens of ours are 43 characters of base64url, and servers like to quote what they refuse: no such run is logged. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replaceAll(/[\w-]{32,}/gu, '…').slice(0, 300);
}
