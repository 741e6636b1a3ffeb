import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';
import { type PopupCase, popupCases } from './popup-cases.ts';
import { type Product, startProduct } from './product.ts';
import { shown, spread } from './statistics.ts';
import { ingest } from './upload.ts';

const [chosen = '', times = '3'] = process.argv.slice(2);
/** Measured openings of each popup, each the first one in a new browser context. */
const openings = Number(times);
/** Milliseconds from the first click to the content, after the browser was idle. */
const bar = 100;

const sample = path.resolve(import.meta.dirname, '../../embedded/sample/northquay-logistics-2025.json');

interface Wanted {
  popup: string;
  content: string;
}

declare global {
  interface Window {
    /** Milliseconds from the click or key to the frame that shows the content. */
    opened?: number;
  }
}

/** Starts to watch for a click or key, and for the content that it opens. */
function watch({ popup, content }: Wanted): void {
  const before = new Set(document.querySelectorAll(popup));
  let started = 0;
  const start = ({ timeStamp }: Event) => {
    started ||= timeStamp;
  };
  for (const type of ['mousedown', 'keydown']) document.addEventListener(type, start, { capture: true });

  function isReady(): boolean {
    const found = [...document.querySelectorAll<HTMLElement>(popup)].find((one) => !before.has(one));
    const part = found?.querySelector<HTMLElement>(content);
    if (found === undefined || part === null || part === undefined) return false;
    if (found.querySelector('.animate-pulse, [aria-busy="true"]') !== null) return false;
    const { width, height, left, right } = part.getBoundingClientRect();
    let opacity = 1;
    for (let one: HTMLElement | null = part; one !== null; one = one.parentElement) {
      opacity *= Number(getComputedStyle(one).opacity);
    }
    return width > 0 && height > 0 && right > 0 && left < innerWidth && opacity > 0.9;
  }
  function look(): void {
    if (started > 0 && isReady()) window.opened = performance.now() - started;
    else requestAnimationFrame(look);
  }
  requestAnimationFrame(look);
}

/** Waits until the page has loaded its data and the parts that it loads when idle. */
async function idle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForLoadState('networkidle');
}

let visits = 0;
async function visit(browser: Browser, product: Product, { route, width = 1440 }: Partial<PopupCase>) {
  const context = await openWindow(browser, product);
  // Each visit has its own client address, so that the rate limit does not apply.
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': `10.1.2.${(visits += 1) % 250}` });
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${product.origin}${route}`);
  await idle(page);
  return page;
}

async function measure(page: Page, { popup, content, open }: PopupCase): Promise<number> {
  await page.evaluate(watch, { popup, content });
  await open(page);
  try {
    await page.waitForFunction(() => window.opened !== undefined);
    return await page.evaluate(() => window.opened ?? Number.NaN);
  } finally {
    await page.context().close();
  }
}

async function openingOf(browser: Browser, product: Product, one: PopupCase): Promise<number> {
  const page = await visit(browser, product, one);
  page.setDefaultTimeout(10_000);
  await one.prepare?.(page);
  if (one.prepare !== undefined) await idle(page);
  return measure(page, one);
}

/** The floor: a dialog of the browser itself, on the same page. */
async function floorOf(browser: Browser, product: Product): Promise<number> {
  const page = await visit(browser, product, { route: '/dashboard/vulnerabilities' });
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<button id="bare" style="position: fixed; inset: 0 auto auto 0; z-index: 99">Open</button><div id="bare-popup"></div>',
    );
    document.querySelector('#bare')?.addEventListener('click', () => {
      document.body.insertAdjacentHTML('beforeend', '<dialog class="bare"><h2>Title</h2></dialog>');
      document.querySelector<HTMLDialogElement>('dialog.bare')?.showModal();
    });
  });
  return measure(page, {
    name: 'bare dialog',
    route: '',
    popup: 'dialog.bare',
    content: 'h2',
    open: (one) => one.locator('#bare').click(),
  });
}

const product = await startProduct({ TRUSTED_PROXIES: 'loopback' });
const browser = await launchBrowser();
const slow: string[] = [];
try {
  await ingest(product, sample, 'northquay-logistics-2025.json');
  console.log(
    `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Chromium ${browser.version()}, 40 vulnerabilities and 60 threats, ${openings} openings each.`,
  );
  console.log('Milliseconds from the first click or key after idle to the content: min / median / max');
  const report = async (name: string, run: () => Promise<number>) => {
    const figures: number[] = [];
    for (let n = 0; n < openings; n += 1) figures.push(await run());
    const { median } = spread(figures);
    console.log(`${name.padEnd(28)} ${shown(spread(figures)).padStart(18)}`);
    return median;
  };
  await report('floor: a bare dialog', () => floorOf(browser, product));
  for (const one of popupCases) {
    if (!one.name.includes(chosen)) continue;
    const median = await report(one.name, () => openingOf(browser, product, one)).catch((error: unknown) => {
      console.log(`${one.name.padEnd(28)} not opened: ${String(error).split('\n')[0]}`);
      return Number.POSITIVE_INFINITY;
    });
    if (median > bar) slow.push(one.name);
  }
} finally {
  await browser.close();
  await product.stop();
}
console.log(`limit: ${bar} (median), ${slow.length === 0 ? 'met by all' : `over: ${slow.join(', ')}`}`);
process.exitCode = slow.length === 0 ? 0 : 1;
