import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';

const token = /[?&]token=([\w-]+)/u;

/** The token in the newest email that contains a text; waits for the email. */
export async function mailedToken(outbox: string, text: string): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        const names = await readdir(outbox).catch(() => []);
        const mails = await Promise.all(
          names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => readFile(path.join(outbox, name), 'utf8')),
        );
        found = mails.findLast((mail) => mail.includes(text))?.match(token)?.[1];
        return found;
      },
      { message: `an email that contains ${text}` },
    )
    .toBeDefined();
  return found ?? '';
}
