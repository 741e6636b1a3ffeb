import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As received, without dot-stuffing, lines ended by \n. */
  raw: string;
}

export interface TestSmtpServer {
  url: string;
  port: number;
  received: ReceivedMail[];
  close(): Promise<void>;
}

export interface SmtpServerOptions {
  port?: number;
  /** Overrides the answer to a command, or to `.`, the end of a message; null sends no answer. */
  answer?: (command: string) => string | null | undefined;
}

/** An SMTP server (RFC 5321) that accepts every mail, unless `answer` says otherwise, and forwards none. */
export async function startSmtpServer({ port = 0, answer }: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding('utf8'));
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    void converse(socket, { received, answer });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const defaultAnswers: Readonly<Record<string, string>> = {
  EHLO: '250-test.example\r\n250 8BITMIME',
  DATA: '354 Continue',
  QUIT: '221 Bye',
};

async function converse(
  socket: Socket,
  { received, answer }: Pick<TestSmtpServer, 'received'> & Pick<SmtpServerOptions, 'answer'>,
): Promise<void> {
  let mail: ReceivedMail = { from: '', to: [], raw: '' };
  let text: string[] | undefined;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  say('220 test.example ESMTP');
  for await (const line of createInterface({ input: socket })) {
    if (text && line !== '.') {
      text.push(line.startsWith('.') ? line.slice(1) : line);
      continue;
    }
    const verb = line.split(/[ :]/u)[0]?.toUpperCase() ?? '';
    const own = answer?.(line);
    if (own === null) continue;
    if (own === undefined || own.startsWith('2')) {
      if (verb === 'MAIL') mail = { from: addressIn(line), to: [], raw: '' };
      if (verb === 'RCPT') mail.to.push(addressIn(line));
      if (verb === '.') received.push({ ...mail, raw: text?.join('\n') ?? '' });
    }
    text = verb === 'DATA' && (own === undefined || own.startsWith('3')) ? [] : undefined;
    say(own ?? defaultAnswers[verb] ?? '250 Ok');
    if (verb === 'QUIT') socket.end();
  }
}

const addressIn = (command: string): string => /<(.*)>/u.exec(command)?.[1] ?? '';
