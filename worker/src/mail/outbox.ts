import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { messageOf } from './message.ts';
import type { MailTransport } from './transport.ts';

/** `20261121T032531Z`: files sort by time, and the name is fit for every file system. */
const stamp = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A part that nothing is wrapped or encoded in: people open these files in an editor and copy the link. */
const asItIs = (type: string, content: string) => ({
  contentType: type,
  raw: [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', '', content]
    .join('\n')
    .replaceAll('\n', '\r\n'),
});

/**
 * Writes mails to `outbox/*.eml` of the data folder, in a folder and files that only their owner may open: their links
 * are as good as a password.
 */
export function openOutbox(dataFolder: string, from: string): MailTransport {
  const folder = join(dataFolder, 'outbox');
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async send({ id, letter }) {
      const { text, html, ...head } = messageOf(from, letter);
      const alternatives = [asItIs('text/plain', text), asItIs('text/html', html)];
      const { message } = await composer.sendMail({ ...head, alternatives });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      const file = join(folder, `${stamp()}-${id}.eml`);
      const draft = `${file}.draft`;
      await writeFile(draft, message as Buffer, { mode: 0o600, flush: true });
      await rename(draft, file);
      return { file };
    },
  };
}
