import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';

const token = /[?&]token=([\w-]+)/u;

/** The secret in the newest mail that mentions these words; waits until there is one. */
export async function mailedToken(outbox: string, words: string): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        const names = await readdir(outbox).catch(() => []);
        const mails = await Promise.all(
          names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => readFile(path.join(outbox, name), 'utf8')),
        );
        found = mails.findLast((mail) => mail.includes(words))?.match(token)?.[1];
        return found;
      },
      { timeout: 20_000, message: `a mail about ${words}` },
    )
    .toBeDefined();
  return found ?? '';
}
