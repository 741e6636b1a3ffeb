import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { messageOf } from '../email.ts';
import type { MailTransport } from './transport.ts';

/** `20261121T032531Z`: sorts by time and is valid in every file system. */
const timestamp = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A MIME part without line wrapping or transfer encoding, because people open the file in an editor and copy the link. */
const unencodedPart = (type: string, content: string) => ({
  contentType: type,
  raw: [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', '', content]
    .join('\n')
    .replaceAll('\n', '\r\n'),
});

/**
 * Writes mails to `outbox/*.eml` in the data folder. Only the owner can read the folder and its files, because the links
 * in them grant access like a password.
 */
export function openOutbox(dataFolder: string, from: string): MailTransport {
  const folder = join(dataFolder, 'outbox');
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async send({ id, email }) {
      const { text, html, ...head } = messageOf(from, { id, email });
      const alternatives = [unencodedPart('text/plain', text), unencodedPart('text/html', html)];
      const { message } = await composer.sendMail({ ...head, alternatives });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      const file = join(folder, `${timestamp()}-${id}.eml`);
      const draft = `${file}.draft`;
      await writeFile(draft, message as Buffer, { mode: 0o600, flush: true });
      await rename(draft, file);
      return { file };
    },
  };
}
