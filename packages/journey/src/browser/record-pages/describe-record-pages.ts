import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { checkPages, type PageCase } from './page-cases.ts';
import { type Name, type Scenario, startScenario } from './scenario.ts';

const chromium = chromiumPath();

/** Of the hundreds to thousands of calls of a suite: more would be a fault of the product. */
const mostUnavailable = 3;

/** Page cases, and the user who opens the pages. */
export type CasesOf = readonly [cases: readonly PageCase[], user: Name];

/**
 * Checks every text and control of these pages that the specification names, in the whole product. The pages are opened in
 * this order in one organization of their own, so a case sees what the earlier ones changed.
 */
export const describeRecordPages = (name: string, pages: readonly CasesOf[]) =>
  describe.skipIf(chromium === null)(`record pages: ${name}`, () => {
    let scenario: Scenario;

    beforeAll(async () => {
      scenario = await startScenario(chromium ?? '');
    });
    beforeEach(({ task, onTestFailed }) => onTestFailed(() => scenario.screenshots(task.id)));
    afterAll(() => scenario?.end());

    for (const [cases, user] of pages) checkPages(() => scenario, cases, user);

    test('consoles show only the expected failures and no policy violation', () => {
      expect(scenario.consoleErrors).toEqual([]);
      expect(scenario.unavailable.slice(mostUnavailable)).toEqual([]);
    });
  });
