import type { Schema } from '@riskboard/db';
import type { Outages } from '@riskboard/operation';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { reportError } from '../jobs/run/publish.ts';
import type { MailTransport } from './delivery/transport.ts';
import {
  createMailLeases,
  deleteMail,
  leaseMs,
  maxTries,
  type OutgoingMail,
  pauseAfter,
  postponeMail,
  renewLease,
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
  outages?: Outages;
}

/** The leases of mails that are being sent are renewed three times before they end. */
const renewMs = leaseMs / 4;
/** Upper limit of a delivery whose server answers each command in time (`smtp.ts`). */
const deliveryTimeoutMs = 1_800_000;
/** A delivery that takes longer delays no other mail: the next one has a connection of its own. */
export const slowMs = 20_000;
/** Deliveries of one sender at once. */
const mostDeliveries = 5;

export interface StopSignals {
  /** Start no further mail. */
  closing: AbortSignal;
  /** Abort the mails that are being sent. */
  aborting: AbortSignal;
}

/**
 * Sends every mail that is due, in the order of `createMailLeases`: one after the other, beside those that take longer than
 * `slowMs`.
 * @param deliveries those that have not ended, also of earlier calls
 */
export async function sendDueMails(
  deps: MailDeps,
  { closing, aborting }: StopSignals,
  deliveries = new Set<Promise<void>>(),
): Promise<void> {
  const leaseNext = createMailLeases(deps.system);
  while (!closing.aborted) {
    if (deliveries.size >= mostDeliveries) await Promise.race(deliveries);
    const mail = await leaseNext();
    if (!mail) return;
    const delivery = sendMail(deps, mail, aborting)
      .catch((err: unknown) => reportError(deps, err, 'result of a mail not stored; it is sent again'))
      .finally(() => deliveries.delete(delivery));
    deliveries.add(delivery);
    await endsOrIsSlow(delivery);
  }
}

async function endsOrIsSlow(delivery: Promise<void>): Promise<void> {
  const slow = Promise.withResolvers<void>();
  const timer = setTimeout(slow.resolve, slowMs);
  await Promise.race([delivery, slow.promise]);
  clearTimeout(timer);
}

/** Renews the lease of a mail during its delivery. */
async function whileLeased<T>(deps: MailDeps, mail: OutgoingMail, deliver: () => Promise<T>): Promise<T> {
  let renewal: Promise<void> | undefined;
  const timer = setInterval(() => {
    renewal = renewLease(deps.system, mail).catch((err: unknown) =>
      reportError(deps, err, 'lease of a mail not renewed'),
    );
  }, renewMs);
  try {
    return await deliver();
  } finally {
    clearInterval(timer);
    // It must not follow the time of the next try.
    await renewal;
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
      const { file } = await whileLeased(deps, mail, () => transport.send({ id: mail.id, email, signal }));
      // Without the subject, which may name a vulnerability or file of the organization.
      if (file === undefined) log.info('mail sent');
      // A warning that names the file, because the terminal of `npm start` shows only the texts of warnings.
      else log.warn({ file }, `SMTP_URL is not set: mail written to ${file}`);
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
