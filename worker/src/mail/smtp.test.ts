import { domainToASCII } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMail } from '../testing/read-mail.ts';
import { startSmtpServer, type TestSmtpServer } from '../testing/smtp-server.ts';
import type { Letter } from './letter.ts';
import { openSmtp } from './smtp.ts';

let server: TestSmtpServer;
afterEach(() => server.close());

const letter: Letter = {
  to: 'ada@example.org',
  subject: 'Invitation to Überwald 李 on Riskboard',
  paragraphs: ['Hello Zoë,', '.a line that begins with a dot', 'x'.repeat(400)],
  action: { label: 'See it', url: `https://risk.example.org/invitation?token=${'t'.repeat(43)}` },
  notes: ['Thanks.'],
};
const from = 'Risk “desk” <risk@example.org>';
const send = (mail: Letter, signal = new AbortController().signal) =>
  openSmtp(server.url, from).send({ id: 'x', letter: mail, signal });

describe('a server that takes mails', () => {
  beforeEach(async () => {
    server = await startSmtpServer();
  });

  it('gets text and HTML, and the headers of a program that writes by itself', async () => {
    await send(letter);
    const [received] = server.received;
    expect(received).toMatchObject({ from: 'risk@example.org', to: ['ada@example.org'] });
    const mail = readMail(received?.raw ?? '');
    expect(mail.headers).toMatchObject({
      from: 'Risk “desk” <risk@example.org>',
      to: 'ada@example.org',
      subject: letter.subject,
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
    });
    expect(mail.headers['message-id']).toMatch(/^<[\w-]+@example\.org>$/);
    expect(Math.abs(Date.parse(mail.headers['date'] ?? '') - Date.now())).toBeLessThan(10_000);
    expect(mail.link).toBe(letter.action?.url);
    expect(mail.text).toContain('\n.a line that begins with a dot\n');
    expect(mail.html).toContain('Hello Zoë,');
    expect(
      received?.raw.split('\n').filter((line) => line.length > 998 || /[^\x20-\x7E\t]/.test(line)),
    ).toEqual([]);
  });

  it('gets no header and no recipient that a letter smuggles in', async () => {
    await send({
      ...letter,
      to: 'ada@example.org, eve@example.org\r\nRCPT TO:<mallory@example.org>',
      subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody',
    }).catch(() => undefined);
    await send({ ...letter, subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody' });
    const headers = server.received.map(({ raw }) => readMail(raw).headers);
    expect(headers.filter((header) => 'bcc' in header)).toEqual([]);
    expect(server.received.flatMap(({ to }) => to).filter((to) => /^(eve|mallory)@/.test(to))).toEqual([]);
    expect(server.received.at(-1)?.to).toEqual(['ada@example.org']);
  });

  it('gets the punycode of a domain with other letters', async () => {
    await send({ ...letter, to: 'ada@überwald.example' });
    expect(server.received[0]?.to).toEqual([`ada@${domainToASCII('überwald.example')}`]);
  });
});

it.each([
  ['the recipient for good', 'RCPT', '550 5.1.1 No such user', { code: 'EENVELOPE', responseCode: 550 }],
  ['the recipient for now', 'RCPT', '450 4.2.0 Greylisted', { code: 'EENVELOPE', responseCode: 450 }],
  ['the message for good', '.', '554 5.7.1 Spam', { code: 'EMESSAGE', responseCode: 554 }],
  ['the message for now', '.', '451 4.3.0 Try later', { code: 'EMESSAGE', responseCode: 451 }],
])('a server that refuses %s is heard', async (_what, verb, reply, expected) => {
  server = await startSmtpServer({ answer: (command) => (command.startsWith(verb) ? reply : undefined) });
  await expect(send(letter)).rejects.toMatchObject(expected);
});

it('a server that says nothing is left when the time is up', async () => {
  server = await startSmtpServer({ answer: (command) => (command === '.' ? null : undefined) });
  await expect(send(letter, AbortSignal.timeout(200))).rejects.toMatchObject({ code: 'EABORT' });
});

it('without a server at the address fails', async () => {
  server = await startSmtpServer();
  const { url } = server;
  await server.close();
  await expect(
    openSmtp(url, from).send({ id: 'x', letter, signal: new AbortController().signal }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^E(SOCKET|CONNECTION)$/) });
  server = await startSmtpServer();
});
