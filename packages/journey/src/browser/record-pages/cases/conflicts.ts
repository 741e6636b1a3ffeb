import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { seedNames } from '../seed-records.ts';
import { toast } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Changed by Ben Pier' });

/** Opens the form of one record for both users; Ben saves first. */
async function race(page: Page, scenario: Scenario, adas: string): Promise<void> {
  const { ben } = scenario.pages;
  const route = `/dashboard/vulnerabilities/${scenario.seed.vulnerabilities.four}/edit`;
  await goTo(page, scenario, route);
  await page.getByLabel('Solution', { exact: true }).fill(adas);
  await goTo(ben, scenario, route);
  await ben.getByLabel('Solution', { exact: true }).fill(`Ben’s answer to ${adas}`);
  await ben.getByRole('button', { name: 'Update' }).click();
  await ben.getByRole('heading', { name: seedNames.four, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Update' }).click();
  await question(page).waitFor();
}

export const conflicts: readonly PageCase[] = [
  {
    where: 'a form whose record another user changed: reload',
    failures: [{ status: 412, url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u }],
    open: (page, scenario) => race(page, scenario, 'Tint the glass.'),
    cases: [
      { spec: "issue, Editing: 412 shown as 'changed by …'", check: question },
      {
        spec: 'issue, Editing: what differs, yours',
        check: (page) => question(page).getByRole('cell', { name: 'Tint the glass.', exact: true }),
      },
      {
        spec: 'issue, Editing: what differs, theirs',
        check: (page) => question(page).getByRole('cell', { name: 'Ben’s answer to Tint the glass.' }),
      },
      {
        spec: 'issue, Editing: reload',
        async check(page) {
          await question(page).getByRole('button', { name: 'Reload' }).click();
          await expect
            .poll(() => page.getByLabel('Solution', { exact: true }).inputValue())
            .toBe('Ben’s answer to Tint the glass.');
        },
      },
    ],
  },
  {
    where: 'a form whose record another user changed: overwrite',
    failures: [{ status: 412, url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u }],
    open: (page, scenario) => race(page, scenario, 'Turn the screen.'),
    cases: [
      {
        spec: 'issue, Editing: or overwrite',
        async check(page) {
          await question(page).getByRole('button', { name: 'Overwrite' }).click();
          await toast(page, 'Vulnerability updated').waitFor();
          await page.getByRole('heading', { name: seedNames.four, level: 1 }).waitFor();
          await page.getByText('Turn the screen.', { exact: true }).first().waitFor();
        },
      },
    ],
  },
];
