import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { checkAddress, localBase, readyText } from './address.ts';

describe('localBase', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
    ['risk.example.org', 'http://risk.example.org:3000'],
  ])('%s is reached at %s', (HOST, expected) => {
    expect(localBase({ HOST, PORT: 3000 })).toBe(expected);
  });
});

describe('readyText', () => {
  it('says how long the start took', () => {
    expect(readyText('http://localhost:3000', { seconds: 2.34, workers: 1 })).toBe(
      '  Address      http://localhost:3000  (ready in 2.3 s; press Ctrl-C to stop)',
    );
  });

  it('says that no worker runs here, without which the product is not ready', () => {
    const text = readyText('http://localhost:3000', { seconds: 2, workers: 0 });
    expect(text).toContain('WORKERS=0: no worker runs here');
    expect(text).not.toContain('ready');
  });
});

describe('checkAddress', () => {
  it('names a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const refusal = checkAddress({ HOST: '127.0.0.1', PORT: port });
    await expect(refusal).rejects.toThrow(`Port ${port} is in use by another program.`);
    await expect(refusal).rejects.toMatchObject({ exitCode: 78 });
    other.close();
  });

  it('names a host that is not an address of this machine', async () => {
    // RFC 5737: an address reserved for documentation.
    await expect(checkAddress({ HOST: '192.0.2.1', PORT: 3000 })).rejects.toThrow('HOST 192.0.2.1');
  });
});
