import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Provoked } from './provoked.ts';
import type { Name, World } from './world.ts';

/** One line of the specification, and how the browser shows that it holds. */
export interface Row {
  /** Section and words. */
  spec: string;
  /** What must be in sight, or an expectation of its own. */
  check: (page: Page) => Locator | Promise<unknown>;
}

/** Lines that one visit of a page, or one opening of a dialog, can show. */
export interface Visit {
  /** The route or dialog, as a person would say it. */
  where: string;
  open: (page: Page, world: World) => Promise<unknown>;
  /** Calls that fail here on purpose; every other one that fails is a fault. */
  provokes?: readonly Provoked[];
  rows: readonly Row[];
}

const isLocator = (found: Locator | Promise<unknown>): found is Locator => 'waitFor' in found;

async function holds({ check }: Row, page: Page): Promise<void> {
  const found = check(page);
  await (isLocator(found) ? found.first().waitFor() : found);
}

/** Every line of the table as a test of its own, under the page that shows it. */
export function lookAt(world: () => World, visits: readonly Visit[], who: Name = 'ada'): void {
  for (const { where, open, rows, provokes = [] } of visits) {
    describe(`on ${where}`, () => {
      let page: Page;
      let takeBack: (() => void) | undefined;
      beforeAll(async () => {
        page = world().pages[who];
        takeBack = world().announced.announce(provokes);
        await open(page, world());
      });
      test.each(rows)('$spec', (row) => holds(row, page));
      afterAll(() => takeBack?.());
    });
  }
}

/** Goes to a route and waits until its heading and rows are there. */
export async function goTo(page: Page, world: World, route: string): Promise<void> {
  await page.goto(`${world.origin}${route}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Announces a refused call: the next ones that match get no answer. @returns lets them through again */
export async function cutOff(page: Page, url: RegExp, method = 'GET'): Promise<() => Promise<void>> {
  await page.route(url, (route) => (route.request().method() === method ? route.abort() : route.fallback()));
  return () => page.unroute(url);
}
