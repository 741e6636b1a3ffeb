import { Socket } from 'node:net';
import { domainToASCII } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMail } from '../../testing/read-mail.ts';
import { startSmtpServer, type TestSmtpServer } from '../../testing/smtp-server.ts';
import type { Email } from '../email.ts';
import { openSmtp } from './smtp.ts';

let server: TestSmtpServer;
afterEach(() => server.close());

const email: Email = {
  to: 'ada@example.org',
  subject: 'Invitation to Überwald 李 on Riskboard',
  paragraphs: ['Hello Zoë,', '.a line that begins with a dot', 'x'.repeat(400)],
  action: { label: 'See it', url: `https://risk.example.org/invitation?token=${'t'.repeat(43)}` },
  notes: ['Thanks.'],
};
const from = 'Risk “desk” <risk@example.org>';
const send = (content: Email, signal = new AbortController().signal, id = 'x') =>
  openSmtp(server.url, from).send({ id, email: content, signal });

describe('an SMTP server that accepts mails', () => {
  beforeEach(async () => {
    server = await startSmtpServer();
  });

  it('receives text and HTML, with the headers of an automatically generated mail', async () => {
    await send(email);
    const [received] = server.received;
    expect(received).toMatchObject({ from: 'risk@example.org', to: ['ada@example.org'] });
    const mail = readMail(received?.raw ?? '');
    expect(mail.headers).toMatchObject({
      from: 'Risk “desk” <risk@example.org>',
      to: 'ada@example.org',
      subject: email.subject,
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
    });
    expect(mail.headers['message-id']).toMatch(/^<[\w-]+@example\.org>$/);
    expect(Math.abs(Date.parse(mail.headers['date'] ?? '') - Date.now())).toBeLessThan(10_000);
    expect(mail.link).toBe(email.action?.url);
    expect(mail.text).toContain('\n.a line that begins with a dot\n');
    expect(mail.html).toContain('Hello Zoë,');
    expect(
      received?.raw.split('\n').filter((line) => line.length > 998 || /[^\x20-\x7E\t]/.test(line)),
    ).toEqual([]);
  });

  it('receives no header or recipient that is injected through the subject or the address', async () => {
    await send({
      ...email,
      to: 'ada@example.org, eve@example.org\r\nRCPT TO:<mallory@example.org>',
      subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody',
    }).catch(() => undefined);
    await send({ ...email, subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody' });
    const headers = server.received.map(({ raw }) => readMail(raw).headers);
    expect(headers.filter((header) => 'bcc' in header)).toEqual([]);
    expect(server.received.flatMap(({ to }) => to).filter((to) => /^(eve|mallory)@/.test(to))).toEqual([]);
    expect(server.received.at(-1)?.to).toEqual(['ada@example.org']);
  });

  it('receives one Message-ID for all attempts of a mail, and another one for a new link or mail', async () => {
    const withLink = (token: string): Email => ({
      ...email,
      action: { label: 'See it', url: `https://risk.example.org/invitation?token=${token}` },
    });
    const again = { ...withLink('a'), paragraphs: ['Other text'] };
    for (const [id, content] of [
      ['x', withLink('a')],
      ['x', again],
      ['x', withLink('b')],
      ['y', withLink('a')],
    ] as const)
      await send(content, undefined, id);
    const [first, second, ...others] = server.received.map(({ raw }) => readMail(raw).headers['message-id']);
    expect(second).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });

  it('receives a non-ASCII domain as punycode', async () => {
    await send({ ...email, to: 'ada@überwald.example' });
    expect(server.received[0]?.to).toEqual([`ada@${domainToASCII('überwald.example')}`]);
  });
});

it.each([
  ['the recipient, permanently,', 'RCPT', '550 5.1.1 No such user', { code: 'EENVELOPE', responseCode: 550 }],
  ['the recipient, temporarily,', 'RCPT', '450 4.2.0 Greylisted', { code: 'EENVELOPE', responseCode: 450 }],
  ['the message, permanently,', '.', '554 5.7.1 Spam', { code: 'EMESSAGE', responseCode: 554 }],
  ['the message, temporarily,', '.', '451 4.3.0 Try later', { code: 'EMESSAGE', responseCode: 451 }],
])('a refusal of %s is reported with its SMTP response code', async (_what, verb, reply, expected) => {
  server = await startSmtpServer({ answer: (command) => (command.startsWith(verb) ? reply : undefined) });
  await expect(send(email)).rejects.toMatchObject(expected);
});

it('sending is aborted when the server does not answer in time', async () => {
  server = await startSmtpServer({ answer: (command) => (command === '.' ? null : undefined) });
  await expect(send(email, AbortSignal.timeout(200))).rejects.toMatchObject({ code: 'EABORT' });
});

it('the answers of a server are waited for ten minutes, as RFC 5321 requires after the end of the message', async () => {
  const limits: number[] = [];
  const setTimeout = vi.spyOn(Socket.prototype, 'setTimeout');
  server = await startSmtpServer({
    answer(command) {
      if (command === '.') limits.push(...setTimeout.mock.calls.map(([ms]) => ms));
      return undefined;
    },
  });
  try {
    await send(email);
    expect(limits.at(-1)).toBe(600_000);
  } finally {
    setTimeout.mockRestore();
  }
});

it('sending fails when no server listens at the address', async () => {
  server = await startSmtpServer();
  const { url } = server;
  await server.close();
  await expect(
    openSmtp(url, from).send({ id: 'x', email, signal: new AbortController().signal }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^E(SOCKET|CONNECTION)$/) });
  server = await startSmtpServer();
});
