import { createTransport } from 'nodemailer';
import { messageOf } from './message.ts';
import type { MailTransport } from './transport.ts';

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
};

/**
 * Hands mails to a server: TLS from the start with smtps:, STARTTLS with smtp: where the server offers it, and demanded
 * with `?requireTLS=true`. Certificates are checked.
 */
export function openSmtp(url: string, from: string): MailTransport {
  const transporter = createTransport({ url, ...timeouts });
  return {
    async send({ letter, signal }) {
      await transporter.sendMail({ ...messageOf(from, letter), signal });
      return {};
    },
  };
}
