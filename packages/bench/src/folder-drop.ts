import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';
import { startControl } from './control.ts';
import { type Product, startProduct } from './product.ts';

/** Number of files; the folder has subfolders of 500. */
const files = Number(process.argv[2] ?? 5000);
/** Milliseconds that no task of the page may exceed (stack.md, performance: long tasks). */
const longest = 50;
/** MiB that the script objects of the tab may have grown by at the end. */
const mostGrowth = 100;
const perFolder = 500;
/** Milliseconds that the batch may take: the second argument in minutes. */
const waitMs = Number(process.argv[3] ?? 60) * 60_000;

declare global {
  interface Window {
    /** Long tasks of the page: their starts and durations in milliseconds. */
    longTasks?: { at: number; took: number }[];
  }
}

const bundle = (n: number): string =>
  JSON.stringify({
    type: 'bundle',
    id: `bundle--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    objects: [
      {
        type: 'attack-pattern',
        spec_version: '2.1',
        id: `attack-pattern--00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
        created: '2026-03-01T09:00:00.000Z',
        modified: '2026-03-01T09:00:00.000Z',
        name: `Technique ${n}`,
        description: 'A sentence that makes the file as long as a small report. '.repeat(25),
      },
    ],
  });

async function writeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'riskboard-drop-'));
  for (let first = 0; first < files; first += perFolder) {
    const sub = path.join(folder, `part-${first / perFolder}`);
    await mkdir(sub);
    const numbers = Array.from({ length: Math.min(perFolder, files - first) }, (_, n) => first + n);
    await Promise.all(numbers.map((n) => writeFile(path.join(sub, `report-${n}.json`), bundle(n))));
  }
  return folder;
}

/** Drops a folder on the page as the operating system does. */
async function dropFolder(page: Page, cdp: CDPSession, folder: string): Promise<void> {
  const zone = await page.getByRole('region', { name: 'Choose reports' }).boundingBox();
  if (zone === null) throw new Error('There is no drop zone');
  const [x, y] = [zone.x + zone.width / 2, zone.y + zone.height / 2];
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x, y, data });
}

/** MiB of script objects after a collection of garbage. */
async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

const started = performance.now();
const seconds = () => ((performance.now() - started) / 1000).toFixed(1);

/** Long tasks since the last call, as text. @returns the longest, in milliseconds */
async function reportPhase(page: Page, cdp: CDPSession, name: string): Promise<number> {
  const tasks = await page.evaluate(() => (window.longTasks ?? []).splice(0));
  const worst = Math.max(0, ...tasks.map(({ took }) => took));
  const heap = await heapOf(cdp);
  // The collection of garbage is a task of this script.
  await page.evaluate(() => void (window.longTasks ?? []).splice(0));
  console.log(
    `${seconds().padStart(7)} s  ${name.padEnd(34)} ${tasks.length} long tasks, longest ${worst.toFixed(0)} ms, heap ${heap.toFixed(0)} MiB`,
  );
  return worst;
}

const states = ['queued', 'running', 'succeeded', 'withIssues', 'failed', 'cancelled'] as const;
type Totals = Record<(typeof states)[number] | 'received' | 'created', number>;

/** Counted from the files in the database: calls of a script would need a new session after some minutes. */
async function totalsOf({ admin }: Product): Promise<Totals> {
  const { rows } = await admin.query<Totals>(
    `select count(*)::int as received, coalesce(sum(created), 0)::int as created,
      ${states.map((state) => `(count(*) filter (where state = '${state}'))::int as "${state}"`).join(', ')}
    from batch_file`,
  );
  const [totals] = rows;
  if (totals === undefined) throw new Error('A count has one row');
  return totals;
}

async function until(product: Product, isReached: (totals: Totals) => boolean): Promise<Totals> {
  for (const end = performance.now() + waitMs; performance.now() < end; await sleep(2000)) {
    const totals = await totalsOf(product);
    if (isReached(totals)) return totals;
  }
  throw new Error(`Not reached: ${JSON.stringify(await totalsOf(product))}`);
}

const folder = await writeFolder();
const product = await startProduct({ TRUSTED_PROXIES: 'loopback' });
const browser = await launchBrowser();
try {
  console.log(
    `${files} files, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Chromium ${browser.version()}`,
  );
  const context = await openWindow(browser, product);
  const control = await startControl(context);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  await page.goto(`${product.origin}/dashboard`);
  await page.getByRole('button', { name: 'Data Upload' }).click();
  await page.getByRole('menuitem', { name: 'Upload STIX/TAXII' }).click();
  await page.getByRole('region', { name: 'Choose reports' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        window.longTasks?.push({ at: startTime, took: duration });
    }).observe({ type: 'longtask' });
  });
  const before = await heapOf(cdp);
  const phases: number[] = [];
  await dropFolder(page, cdp, folder);
  const upload = page.getByRole('button', { name: `Upload ${files.toLocaleString('en-US')} files` });
  await upload.waitFor({ timeout: 120_000 });
  phases.push(await reportPhase(page, cdp, 'folder dropped and read'));
  await page.getByText('Names that exist').waitFor();
  await page.getByText('Checking…').waitFor({ state: 'detached', timeout: 120_000 });
  phases.push(await reportPhase(page, cdp, 'preview shown'));
  await upload.click();
  await until(product, ({ received }) => received >= files / 10);
  phases.push(await reportPhase(page, cdp, 'a tenth uploaded, dialog open'));
  await page.getByRole('link', { name: 'View batch' }).first().click();
  await page.getByRole('progressbar', { name: 'Progress of the batch' }).waitFor();
  await until(product, ({ received }) => received >= files / 2);
  phases.push(await reportPhase(page, cdp, 'half uploaded, batch page'));
  const uploaded = await until(product, ({ received }) => received === files);
  phases.push(await reportPhase(page, cdp, 'all uploaded, batch page'));
  console.log(`batch: ${JSON.stringify(uploaded)}`);
  const end = await until(product, ({ queued, running }) => queued + running === 0);
  phases.push(await reportPhase(page, cdp, 'all read and extracted'));
  const growth = (await heapOf(cdp)) - before;
  const worst = Math.max(...phases);
  const accounted = end.received === files && end.succeeded === files && end.created === files;
  console.log(`batch: ${JSON.stringify(end)}`);
  console.log(`a task of 5 ms in another tab took up to ${(await control()).toFixed(0)} ms`);
  console.log(`longest task ${worst.toFixed(0)} ms (limit ${longest}), heap +${growth.toFixed(0)} MiB`);
  process.exitCode = accounted && worst <= longest && growth <= mostGrowth ? 0 : 1;
} finally {
  await browser.close();
  await product.stop();
  await rm(folder, { recursive: true });
}
