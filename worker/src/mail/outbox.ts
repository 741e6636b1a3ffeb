import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { messageOf } from './message.ts';
import type { MailTransport } from './transport.ts';

/** `20261121T032531Z`: files sort by time, and the name is fit for every file system. */
const stamp = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

/**
 * Writes mails to `outbox/*.eml` of the data folder, in a folder and files that only their owner may open: their links
 * are as good as a password.
 */
export function openOutbox(dataFolder: string, from: string): MailTransport {
  const folder = join(dataFolder, 'outbox');
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async send({ id, letter }) {
      // As it is: people open these files in an editor, and a link must not be wrapped.
      const { message } = await composer.sendMail({ ...messageOf(from, letter), encoding: '8bit' });
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
