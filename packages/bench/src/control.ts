import type { BrowserContext } from 'playwright-core';

/**
 * Repeats a task of 5 ms of work in another tab, which shows how long tasks take because of other processes of the
 * machine. @returns reads the longest one so far, in milliseconds
 */
export async function startControl(context: BrowserContext): Promise<() => Promise<number>> {
  const page = await context.newPage();
  await page.evaluate(() => {
    const work = (loops: number) => {
      const from = performance.now();
      let sum = 0;
      for (let n = 0; n < loops; n += 1) sum += Math.sqrt(n);
      return sum < 0 ? 0 : performance.now() - from;
    };
    const loops = 5e6 / Math.max(0.1, Math.min(...Array.from({ length: 20 }, () => work(1e6))));
    document.title = '0';
    setInterval(() => {
      document.title = String(Math.max(Number(document.title), work(loops)));
    }, 100);
  });
  return async () => Number(await page.title());
}
