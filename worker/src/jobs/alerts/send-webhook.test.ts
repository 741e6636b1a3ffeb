import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendWebhook, type WebhookRequest } from './send-webhook.ts';

let server: Server | undefined;
let requests: {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
  requests = [];
});

/** Starts a receiver. @returns its port */
async function receiver(answer: (reply: ServerResponse) => void): Promise<number> {
  const started = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(reply);
    });
  });
  server = started;
  await new Promise<void>((ready) => started.listen(0, '127.0.0.1', ready));
  return (started.address() as AddressInfo).port;
}

const send = (url: string, options: Partial<WebhookRequest> = {}) =>
  sendWebhook({
    url,
    headers: { 'webhook-id': 'a' },
    body: '{"type":"ü"}',
    allowPrivate: true,
    signal: new AbortController().signal,
    ...options,
  });

const resolveTo = (...addresses: string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

describe('a message to a webhook', () => {
  it('is posted as JSON with its headers, and delivered by status 2xx', async () => {
    const port = await receiver((reply) => reply.writeHead(204).end());
    expect(await send(`http://127.0.0.1:${port}/hook?x=1`)).toMatchObject({ statusCode: 204, error: null });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/hook?x=1',
        body: '{"type":"ü"}',
        headers: { 'content-type': 'application/json', 'content-length': '13', 'webhook-id': 'a' },
      },
    ]);
  });

  it('follows no redirect', async () => {
    const port = await receiver((reply) => reply.writeHead(307, { location: '/other' }).end());
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: 307,
      error: 'The address replied with status 307; redirects are not followed.',
    });
    expect(requests).toHaveLength(1);
  });

  it('reads little of an endless reply and reports nothing of it', async () => {
    const port = await receiver((reply) => {
      reply.writeHead(500);
      const more = (): void => {
        while (reply.write('secret '.repeat(1000)));
      };
      reply.on('drain', more);
      more();
    });
    const outcome = await send(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ statusCode: 500, error: 'The address replied with status 500.' });
  });

  it('ends after the time limit when no status was received', async () => {
    const port = await receiver(() => undefined);
    expect(await send(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })).toMatchObject({
      statusCode: null,
      error: expect.stringContaining('did not reply within 0.1 seconds') as string,
    });
  });

  it('has ten seconds by default', async () => {
    const ended = new AbortController();
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended.signal);
    const port = await receiver(() => ended.abort());
    expect((await send(`http://127.0.0.1:${port}`)).error).toBe(
      'The address did not reply within 10 seconds.',
    );
    expect(limit).toHaveBeenCalledExactlyOnceWith(10_000);
  });

  it('is delivered by its status, also when the reply does not end within the time limit', async () => {
    const port = await receiver((reply) => reply.writeHead(200).write('x'));
    expect(await send(`http://127.0.0.1:${port}/`, { timeoutMs: 200 })).toMatchObject({
      statusCode: 200,
      error: null,
    });
  });

  it('reports a refused connection and an unknown name without their address', async () => {
    const port = await receiver((reply) => reply.end());
    await new Promise((closed) => server?.close(closed));
    const refused = await send(`http://127.0.0.1:${port}/token`);
    expect(refused).toMatchObject({ statusCode: null, error: 'The address refused the connection.' });
    const failing = Object.assign(new Error('getaddrinfo ENOTFOUND secret.example'), { code: 'ENOTFOUND' });
    const unknown = await send('https://secret.example/', { resolve: () => Promise.reject(failing) });
    expect(unknown.error).toBe('The name of the address does not exist.');
  });

  it('throws when the job is cancelled, so that no attempt is recorded', async () => {
    const cancelled = new AbortController();
    cancelled.abort(new Error('cancelled'));
    const port = await receiver((reply) => reply.end());
    await expect(send(`http://127.0.0.1:${port}/`, { signal: cancelled.signal })).rejects.toThrow(
      'cancelled',
    );
  });

  it('throws when the job is cancelled while the reply is read', async () => {
    const cancelled = new AbortController();
    const port = await receiver((reply) => {
      reply.writeHead(200).write('x');
      setTimeout(() => cancelled.abort(new Error('cancelled')), 50);
    });
    await expect(send(`http://127.0.0.1:${port}/`, { signal: cancelled.signal })).rejects.toThrow(
      'cancelled',
    );
  });
});

describe('a private address', () => {
  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['fd00::1'],
    ['8.8.8.8', '127.0.0.1'],
  ])('is refused when a name resolves to %s %s', async (...addresses) => {
    const outcome = await send('https://innocent.example/', {
      allowPrivate: false,
      ...resolveTo(...addresses),
    });
    expect(outcome).toMatchObject({
      statusCode: null,
      error: 'The name resolves to an address of a private network, which is not allowed here.',
    });
  });

  it('is refused in the URL and with http before any name is resolved', async () => {
    let resolved = 0;
    const resolve = async () => {
      resolved += 1;
      return [];
    };
    for (const url of [
      'https://127.0.0.1/',
      'https://[::1]/',
      'http://example.org/',
      'https://a:b@example.org/',
    ])
      expect((await send(url, { allowPrivate: false, resolve })).error).not.toBeNull();
    expect(resolved).toBe(0);
  });

  it('is not reached by a name that resolves to another address the next time', async () => {
    const port = await receiver((reply) => reply.writeHead(200).end());
    const answers = ['127.0.0.1', '10.0.0.1'];
    let resolved = 0;
    const resolve = async () => {
      resolved += 1;
      return [{ address: answers.shift() ?? '', family: 4 }];
    };
    // The name is resolved once, and the connection goes to the address of that answer.
    expect(await send(`http://rebinding.example:${port}/`, { resolve })).toMatchObject({ statusCode: 200 });
    expect(resolved).toBe(1);
  });
});
