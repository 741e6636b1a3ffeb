import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { dismissToasts } from './locators.ts';
import { openRoute } from '../../support/open-route.ts';
import type { ExpectedFailure } from './expected-failures.ts';
import type { Name, Scenario } from './scenario.ts';

/** One line of the specification, and how the browser shows that it holds. */
export interface SpecCase {
  /** Section and text. */
  spec: string;
  /** A locator that must become visible, or an expectation. */
  check: (page: Page) => Locator | Promise<unknown>;
}

/** The lines that one visit of a page, or one opened dialog, can show. The cases run in order on the same page. */
export interface PageCase {
  /** The route or dialog. */
  where: string;
  open: (page: Page, scenario: Scenario) => Promise<unknown>;
  /** Calls that fail here on purpose; any other failed call fails the suite. */
  failures?: readonly ExpectedFailure[];
  cases: readonly SpecCase[];
}

const isLocator = (found: Locator | Promise<unknown>): found is Locator => 'waitFor' in found;

async function verify({ check }: SpecCase, page: Page): Promise<void> {
  const found = check(page);
  await (isLocator(found) ? found.first().waitFor() : found);
}

/** Runs each case as its own test, grouped by the page that shows it. */
export function checkPages(
  scenario: () => Scenario,
  pageCases: readonly PageCase[],
  user: Name = 'ada',
): void {
  for (const { where, open, cases, failures = [] } of pageCases) {
    describe(`on ${where}`, () => {
      let page: Page;
      let disallow: (() => Promise<void>) | undefined;
      beforeAll(async () => {
        await scenario().renewSessions();
        page = scenario().pages[user];
        disallow = scenario().expectedFailures.allow(failures);
        await open(page, scenario());
      });
      test.each(cases)('$spec', (specCase) => verify(specCase, page));
      afterAll(() => disallow?.());
    });
  }
}

const heading = (page: Page): Promise<void> => page.getByRole('heading', { level: 1 }).waitFor();

/**
 * Opens a route as a click on a link does, without the toasts of earlier cases, and waits for its heading. Data that the page
 * has loaded before is shown at once.
 */
export async function goTo(page: Page, scenario: Scenario, route: string): Promise<void> {
  await openRoute(page, scenario.origin, route);
  await dismissToasts(page);
  await heading(page);
}

/** Loads the application at a route and waits for its heading: every call of the page is made again. */
export async function load(page: Page, scenario: Scenario, route: string): Promise<void> {
  await page.goto(`${scenario.origin}${route}`);
  await heading(page);
}

/** Aborts matching calls, so that they get no response. @returns a function that lets them through again */
export async function abortCalls(page: Page, url: RegExp, method = 'GET'): Promise<() => Promise<void>> {
  await page.route(url, (route) => (route.request().method() === method ? route.abort() : route.fallback()));
  return () => page.unroute(url);
}

/** Changes the JSON of the replies to matching calls until `page.unroute(url)`, which lets pending calls through as they are. */
export const alterReplies = (page: Page, url: RegExp, alter: (body: never) => object): Promise<unknown> =>
  page.route(url, async (route) => {
    const response = await route.fetch();
    const json = alter((await response.json()) as never);
    await route.fulfill({ response, json }).catch((error: unknown) => {
      if (!String(error).includes('already handled')) throw error;
    });
  });
