import { once } from 'node:events';
import { freePort } from '@riskboard/embedded';
import { onTestFinished, vi } from 'vitest';
import { startChild } from './child.ts';

/** Starts the product with its own database, as `npm start` does, until the test is finished. @returns its address */
export async function startStandalone(settings: Readonly<Record<string, string>>): Promise<string> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const product = startChild('packages/embedded/src/main.ts', {
    PORT: String(port),
    DEMO: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  });
  onTestFinished(async () => {
    if (product.exitCode !== null || product.signalCode !== null) return;
    product.kill('SIGTERM');
    await once(product, 'exit');
  });
  await untilReady(origin);
  return origin;
}

/** @throws when a product is not ready within a minute */
export const untilReady = (origin: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const { status } = await fetch(`${origin}/api/health/ready`);
      if (status !== 200) throw new Error(`${origin} is not ready: ${status}`);
    },
    { timeout: 60_000, interval: 200 },
  );
