import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openWindow } from '../browser.ts';
import type { Product } from '../product.ts';
import { shown, spread } from '../statistics.ts';

/** What the parts of the bench measure with. */
export interface Setup {
  product: Product;
  browser: Browser;
  /** Repetitions of each figure. */
  runs: number;
  /** Ids of an asset and of the vulnerability with 2,000 nodes around it. */
  asset: string;
}

/** Figures of one kind, and the bar that their median must not exceed; `atLeast`: that it must reach. */
export interface Figure {
  name: string;
  figures: readonly number[];
  bar?: number;
  atLeast?: number;
  unit?: string;
  digits?: number;
}

const isMet = ({ figures, bar = Infinity, atLeast = -Infinity }: Figure): boolean => {
  const { median } = spread(figures);
  return median <= bar && median >= atLeast;
};

/** Prints a figure. @returns whether its bar is met */
export function print(figure: Figure): boolean {
  const { name, figures, bar, atLeast, unit = 'ms', digits = 0 } = figure;
  const limit = [
    bar === undefined ? '' : `at most ${bar}`,
    atLeast === undefined ? '' : `at least ${atLeast}`,
  ]
    .filter(Boolean)
    .join(', ');
  const met = isMet(figure);
  const verdict = limit === '' ? '' : `${limit}: ${met ? 'met' : 'MISSED'}`;
  console.log(
    `  ${name.padEnd(46)} ${shown(spread(figures), digits).padStart(22)} ${unit.padEnd(5)} ${verdict}`.trimEnd(),
  );
  return met;
}

let windows = 0;

/** A page in a new browser context with an empty cache and its own client address, so that no rate limit applies. */
export async function openPage(
  { browser, product }: Pick<Setup, 'browser' | 'product'>,
  { signedIn = true }: { signedIn?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page; cdp: CDPSession }> {
  const context = await openWindow(browser, product);
  if (!signedIn) await context.clearCookies();
  windows += 1;
  await context.setExtraHTTPHeaders({
    'x-forwarded-for': `10.1.${3 + Math.floor(windows / 250)}.${1 + (windows % 250)}`,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  return { context, page, cdp };
}

/** Waits until the page has loaded its data and the parts that it loads when idle. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForLoadState('networkidle');
}
