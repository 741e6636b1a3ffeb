import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { seedNames } from '../seed-records.ts';
import { dismissToasts, rowOf, toast } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';
import { repeatUnavailableInBrowser } from '../../../support/repeat-unavailable.ts';

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

const list = '/dashboard/vulnerabilities?status=mitigated';
const statusOf = (page: Page) => rowOf(page, seedNames.seven).getByTitle('Change status');
const badge = (page: Page, status: string) => statusOf(page).filter({ hasText: status });

async function chooseStatus(page: Page, status: string): Promise<void> {
  await statusOf(page).click();
  await page.getByRole('menuitemradio', { name: status }).click();
}

/** Saves a status as Ben. */
async function saveAsBen({ pages, origin, seed }: Scenario, status: string): Promise<void> {
  const reply = await repeatUnavailableInBrowser(() =>
    pages.ben.request.put(`${origin}/api/vulnerabilities/${seed.vulnerabilities.seven}`, {
      headers: { origin },
      data: { status },
    }),
  );
  expect(reply.status()).toBe(200);
}

let scenario: Scenario;
const ofSeven = (title: string) => title.replace('X', seedNames.seven);

export const conflicts: readonly PageCase[] = [
  {
    where: 'a status that is changed in its row, in two browsers',
    failures: [{ status: 412, url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u }],
    async open(page, there) {
      scenario = there;
      await Promise.all([
        goTo(page, there, list),
        goTo(there.pages.ben, there, '/dashboard/vulnerabilities'),
      ]);
      await statusOf(page).waitFor();
      await statusOf(there.pages.ben).waitFor();
    },
    cases: [
      {
        spec: 'issue, Inline edit: the row keeps its position although the filter no longer matches, and the other browser shows the change',
        async check(page) {
          await chooseStatus(page, 'Fixed');
          await toast(page, ofSeven('Status of “X” changed to Fixed')).waitFor();
          await badge(scenario.pages.ben, 'Fixed').waitFor();
          await badge(page, 'Fixed').waitFor();
          await page.getByRole('button', { name: 'Update list' }).waitFor();
        },
      },
      {
        spec: 'issue, Inline edit: Undo restores the earlier value in both browsers',
        async check(page) {
          await page.getByRole('button', { name: 'Undo' }).click();
          await toast(page, ofSeven('Status of “X” is Mitigated again')).waitFor();
          await badge(scenario.pages.ben, 'Mitigated').waitFor();
          await badge(page, 'Mitigated').waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: 'issue, Inline edit: Undo is refused when another user changed the record since',
        async check(page) {
          await chooseStatus(page, 'Accepted');
          await toast(page, ofSeven('Status of “X” changed to Accepted')).waitFor();
          await saveAsBen(scenario, 'open');
          await page.getByRole('button', { name: 'Undo' }).click();
          const refused = ofSeven('Status of “X” was not restored');
          await toast(
            page,
            refused,
            'Ben Pier changed this in the meantime. Nothing was overwritten.',
          ).waitFor();
          await badge(scenario.pages.ben, 'Open').waitFor();
          await saveAsBen(scenario, 'mitigated');
          await dismissToasts(page);
        },
      },
    ],
  },
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
