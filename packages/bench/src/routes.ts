import { performance } from 'node:perf_hooks';
import type { Browser } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';
import { fillLists } from './list-rows.ts';
import { type Product, startProduct } from './product.ts';
import { percentile, shown, spread } from './statistics.ts';

/** Rows of each list. */
const rowsEach = 100_000;
/** Measured visits, after one to warm up the servers; each in a new context with an empty cache. */
const visits = 12;
/** Milliseconds until a route shows its data, at the 75th percentile (stack, performance). */
const bar = 1000;

/** Routes, each with a text that appears only with its data. */
const routes: readonly (readonly [route: string, data: RegExp])[] = [
  ['/dashboard', /^report \d+\.json$/u],
  ['/dashboard/vulnerabilities', /^(?:Buffer|SQL|Cross|Use|Path) .+ in /u],
  ['/dashboard/vulnerabilities?severity=critical', /^(?:Buffer|SQL|Cross|Use|Path) .+ in /u],
  ['/dashboard/reports/vulnerabilities', /^(?:Buffer|SQL|Cross|Use|Path) .+ in /u],
  ['/dashboard/threats', / against /u],
  ['/dashboard/threats?risk=high', / against /u],
  ['/dashboard/reports/threats', / against /u],
  ['/dashboard/reports', /^report \d+\.json$/u],
];

let visited = 0;
/** Milliseconds from the navigation until the data is visible. */
async function visit(browser: Browser, product: Product, [route, data]: (typeof routes)[number]) {
  const context = await openWindow(browser, product);
  // Each visit has its own client address, so that the rate limit does not apply.
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': `10.1.1.${(visited += 1)}` });
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(`${product.origin}${route}`, { waitUntil: 'commit' });
  await page.getByText(data).first().waitFor();
  const ms = performance.now() - started;
  await context.close();
  return ms;
}

/** Load time of pages in an organization with 100,000 rows in each list. */
const product = await startProduct();
const browser = await launchBrowser();
const slow: string[] = [];
try {
  await fillLists(product.admin, rowsEach);
  console.log(
    `${rowsEach.toLocaleString('en-US')} rows each, ${visits} visits, ms: p75 (min / median / max)`,
  );
  for (const one of routes) {
    const figures: number[] = [];
    for (let run = -1; run < visits; run += 1) {
      const ms = await visit(browser, product, one);
      if (run >= 0) figures.push(ms);
    }
    const p75 = percentile(figures, 0.75);
    if (p75 > bar) slow.push(one[0]);
    console.log(`${one[0].padEnd(48)} ${p75.toFixed(0).padStart(5)}  (${shown(spread(figures))})`);
  }
} finally {
  await browser.close();
  await product.stop();
}
console.log(`limit: ${bar}, ${slow.length === 0 ? 'met by all' : `over: ${slow.join(', ')}`}`);
process.exitCode = slow.length === 0 ? 0 : 1;
