import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { flaws } from '../harbour-reports.ts';
import { rowsOf } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';

const why = 'Requires the analyst role. You are a viewer.';

/** The control is disabled and shows the reason on hover. */
async function refused(page: Page, control: Locator): Promise<void> {
  expect(await control.isDisabled()).toBe(true);
  await control.hover();
  await page.getByText(why).first().waitFor();
}

/** A viewer sees every control, disabled with its reason (UX, forms: disabled reason). */
export const viewer: readonly PageCase[] = [
  {
    where: '/dashboard/vulnerabilities as a viewer',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/vulnerabilities'),
    cases: [
      {
        spec: 'contract, Roles: viewer reads and cannot create',
        check: (page) => refused(page, page.getByRole('button', { name: 'New vulnerability' })),
      },
      {
        spec: 'issue, Inline edit: viewers see plain values',
        async check(page) {
          await rowsOf(page).first().waitFor();
          expect(await page.locator('[data-inline-edit]').count()).toBe(0);
        },
      },
      {
        spec: 'contract, Roles: viewer cannot delete',
        async check(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await refused(page, page.getByRole('button', { name: 'Delete Selected (10)' }));
          await refused(page, page.getByRole('button', { name: 'Edit Selected (10)' }));
        },
      },
    ],
  },
  {
    where: '/dashboard/reports/vulnerabilities as a viewer',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports/vulnerabilities?sort=-cvssScore'),
    cases: [
      {
        spec: 'contract, Roles: the row menu has Download, and Delete with the reason',
        async check(page) {
          await page.getByRole('button', { name: `Actions for ${flaws.v2}` }).click();
          await page.getByRole('menuitem', { name: 'Delete' }).getByText(why).waitFor();
          expect(await page.getByRole('menuitem', { name: 'Delete' }).getAttribute('aria-disabled')).toBe(
            'true',
          );
          expect(
            await page.getByRole('menuitem', { name: 'Download' }).getAttribute('aria-disabled'),
          ).toBeNull();
          await page.keyboard.press('Escape');
        },
      },
    ],
  },
  {
    where: '/dashboard/threats/new as a viewer',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/threats/new'),
    cases: [
      { spec: 'contract, Roles: the form says so', check: (page) => page.getByText(why) },
      {
        spec: 'contract, Roles: the form accepts no input',
        async check(page) {
          expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(false);
          expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
        },
      },
    ],
  },
];
