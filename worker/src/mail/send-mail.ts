import type { Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { MailTransport } from './delivery/transport.ts';
import {
  createMailLeases,
  deleteMail,
  leaseMs,
  maxTries,
  type OutgoingMail,
  pauseAfter,
  postponeMail,
  returnMail,
} from './outgoing-mail.ts';
import { accountChangedEmail } from './templates/account-changed.ts';
import { alertsEmail } from './templates/alerts.ts';
import { emailChangeEmail } from './templates/email-change.ts';
import type { EmailTemplate } from './templates/email-template.ts';
import { invitationEmail } from './templates/invitation.ts';
import { passwordResetEmail } from './templates/password-reset.ts';
import { riskReportEmail } from './templates/risk-report.ts';

const templates: Readonly<Record<OutgoingMail['kind'], EmailTemplate>> = {
  'password-reset': passwordResetEmail,
  invitation: invitationEmail,
  'account-changed': accountChangedEmail,
  'email-change': emailChangeEmail,
  alerts: alertsEmail,
  'risk-report': riskReportEmail,
};

export interface MailDeps {
  /** Under the system role. */
  system: Kysely<Schema>;
  transport: MailTransport;
  /** Scheme, host and port of the links. */
  origin: string;
  /** A mail server is set, so that a mailed link proves an address. */
  verifyEmail: boolean;
  log: Logger;
}

/** Half of the lease: a delivery has been aborted long before another sender leases the mail. */
const deliveryTimeoutMs = leaseMs / 2;

export interface StopSignals {
  /** Start no further mail. */
  closing: AbortSignal;
  /** Abort the mail that is being sent. */
  aborting: AbortSignal;
}

/** Sends every mail that is due, one after the other, in the order of `createMailLeases`. */
export async function sendDueMails(deps: MailDeps, { closing, aborting }: StopSignals): Promise<void> {
  const leaseNext = createMailLeases(deps.system);
  while (!closing.aborted) {
    const mail = await leaseNext();
    if (!mail) return;
    await sendMail(deps, mail, aborting);
  }
}

async function sendMail(deps: MailDeps, mail: OutgoingMail, aborting: AbortSignal): Promise<void> {
  const { system, transport, origin, verifyEmail } = deps;
  const log = deps.log.child({ mail: mail.id, kind: mail.kind });
  if (mail.tries > maxTries) {
    log.error('mail abandoned: the worker stopped unexpectedly during every try');
    return deleteMail(system, mail);
  }
  try {
    const email = await templates[mail.kind]({ system, origin, verifyEmail }, mail);
    if (email) {
      const signal = AbortSignal.any([aborting, AbortSignal.timeout(deliveryTimeoutMs)]);
      const { file } = await transport.send({ id: mail.id, email, signal });
      if (file === undefined) log.info({ subject: email.subject }, 'mail sent');
      // A warning that names the file, because the terminal of `npm start` shows only the texts of warnings.
      else log.warn({ subject: email.subject, file }, `SMTP_URL is not set: mail written to ${file}`);
    }
  } catch (error) {
    if (!aborting.aborted || isPermanent(error)) return handleFailure(deps, mail, error);
    log.info('mail not sent: the worker closes; it is sent later');
    return returnMail(system, mail);
  }
  await deleteMail(system, mail);
}

async function handleFailure(deps: MailDeps, mail: OutgoingMail, error: unknown): Promise<void> {
  const details = {
    mail: mail.id,
    kind: mail.kind,
    to: mail.email,
    tries: mail.tries,
    reason: reasonOf(error),
  };
  if (mail.tries < maxTries && !isPermanent(error)) {
    deps.log.warn({ ...details, retryInSeconds: pauseAfter(mail.tries) }, 'mail not sent');
    return postponeMail(deps.system, mail);
  }
  deps.log.error(details, 'mail abandoned');
  await deleteMail(deps.system, mail);
}

interface SendError {
  code?: unknown;
  responseCode?: unknown;
}

/**
 * Whether the server refused this recipient or message permanently (RFC 5321, 4.2.1). Connection and authentication
 * errors are transient.
 */
function isPermanent(error: unknown): boolean {
  const { code, responseCode } = error as SendError;
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return aboutMail && typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 503;
}

/** Servers quote what they refuse, so tokens (43 characters of base64url) are removed before the text is logged. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/[\w-]{32,}/gu, '…').slice(0, 300);
}
