import { createTransport } from 'nodemailer';
import { messageOf } from '../email.ts';
import type { MailTransport } from './transport.ts';

/**
 * A server that cannot be reached fails fast: `connectionTimeout` includes the greeting and STARTTLS. Each later command may
 * take as long as the slowest one, the end of the message, for which RFC 5321, 4.5.3.2.6, requires ten minutes: a server that
 * scans a message before it answers has accepted it, and another try would send it twice.
 */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 30_000,
  greetingTimeout: 30_000,
  socketTimeout: 600_000,
};

/**
 * Sends mails to an SMTP server. `smtps:` uses TLS from the start; `smtp:` uses STARTTLS if the server offers it, and
 * requires it with `?requireTLS=true`. Certificates are verified.
 */
export function openSmtp(url: string, from: string): MailTransport {
  const transporter = createTransport({ url, ...timeouts });
  return {
    async send({ signal, ...mail }) {
      await transporter.sendMail({ ...messageOf(from, mail), signal });
      return {};
    },
  };
}
