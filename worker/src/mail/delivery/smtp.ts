import { createTransport } from 'nodemailer';
import { messageOf } from '../email.ts';
import type { MailTransport } from './transport.ts';

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
};

/**
 * Sends mails to an SMTP server. `smtps:` uses TLS from the start; `smtp:` uses STARTTLS if the server offers it, and
 * requires it with `?requireTLS=true`. Certificates are verified.
 */
export function openSmtp(url: string, from: string): MailTransport {
  const transporter = createTransport({ url, ...timeouts });
  return {
    async send({ email, signal }) {
      await transporter.sendMail({ ...messageOf(from, email), signal });
      return {};
    },
  };
}
