import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readMail } from '../../testing/read-mail.ts';
import type { Email } from '../email.ts';
import { openTransport } from './transport.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-outbox-'));
});
afterEach(() => rm(folder, { recursive: true }));

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const url = `https://risk.example.org/reset-password?token=${'t'.repeat(43)}`;
const email: Email = {
  to: 'ada@example.org',
  subject: 'Reset your Riskboard password',
  paragraphs: ['Hello Zoë 李,'],
  action: { label: 'Choose a new password', url },
  notes: [],
};
const send = () =>
  openTransport({ SMTP_URL: undefined, MAIL_FROM: 'Riskboard <risk@localhost>', DATA_DIR: folder }).send({
    id,
    email,
    signal: new AbortController().signal,
  });
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it('without an SMTP server a mail is written to a file that only its owner can read', async () => {
  const { file = '' } = await send();
  expect(await readdir(join(folder, 'outbox'))).toEqual([basename(file)]);
  expect(basename(file)).toMatch(new RegExp(`^\\d{8}T\\d{6}Z-${id}\\.eml$`));
  expect(await modeOf(file)).toBe('600');
  expect(await modeOf(join(folder, 'outbox'))).toBe('700');
});

it('restricts an outbox folder that other users could read', async () => {
  await mkdir(join(folder, 'outbox'), { mode: 0o755 });
  await send();
  expect(await modeOf(join(folder, 'outbox'))).toBe('700');
});

it('the file is a valid mail, and its link is on one unencoded line', async () => {
  const { file = '' } = await send();
  const source = await readFile(file, 'utf8');
  expect(source.split(/\r?\n/)).toContain(url);
  expect(source).toContain('Hello Zoë 李,');
  const mail = readMail(source);
  expect(mail).toMatchObject({
    link: url,
    headers: { from: 'Riskboard <risk@localhost>', to: 'ada@example.org' },
  });
  expect(mail.html).toContain('Hello Zoë 李,');
});

it('sending fails when the outbox folder cannot be created', async () => {
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  await expect(send()).rejects.toMatchObject({ code: expect.stringMatching(/^E(NOTDIR|EXIST)$/) });
});
