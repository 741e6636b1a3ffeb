import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { toast } from '../../locators.ts';
import { goTo, type PageCase, type SpecCase } from '../../page-cases.ts';

const card = (page: Page, project: string): Locator => page.getByRole('article', { name: project });
const button = (page: Page, label: string): Locator => page.getByRole('button', { name: label, exact: true });
const field = (page: Page, label: string): Locator =>
  page.getByRole('form').getByLabel(label, { exact: true });

/** The project that the cases create, change and delete. */
const made = 'Lock gates of the old basin';

export const projectForms: readonly PageCase[] = [
  {
    where: '/dashboard/projects/new',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/projects/new'),
    cases: [
      ...['Core Details', 'Timeline and Status', 'Organizational Context', 'Rankings and References'].map(
        (title): SpecCase => ({
          spec: `2, Project form: section ${title}`,
          check: (page) => page.getByRole('heading', { level: 2, name: title }),
        }),
      ),
      { spec: "2, Project form: 'Back to Projects'", check: (page) => button(page, 'Back to Projects') },
      { spec: '2, Project form: Cancel', check: (page) => button(page, 'Cancel') },
      {
        spec: '5, Project: name, description, startDate non-blank',
        async check(page) {
          await page.getByText('Required: Name, Description, and Start date.').waitFor();
          expect(await button(page, 'Create').isDisabled()).toBe(true);
        },
      },
      {
        spec: '5, Project: planned end date is disabled until a start date is set',
        async check(page) {
          await page.getByText('Enter a start date first.').waitFor();
          expect(await field(page, 'Planned end date').getAttribute('aria-disabled')).toBe('true');
          await field(page, 'Name').fill(made);
          await field(page, 'Description').fill('Gates, winches and their keys.');
          await field(page, 'Start date').fill('2026-03-28');
          expect(await field(page, 'Planned end date').getAttribute('aria-disabled')).toBeNull();
        },
      },
      {
        spec: '5, Project: planned end at least the day after the start date; submit disabled while invalid',
        async check(page) {
          await field(page, 'Planned end date').fill('2026-03-29');
          await field(page, 'Start date').fill('2026-03-29');
          await page
            .getByText('The planned end date must be at least the day after the start date.')
            .first()
            .waitFor();
          expect(await button(page, 'Create').isDisabled()).toBe(true);
          await field(page, 'Planned end date').fill('2026-03-30');
          await expect.poll(() => button(page, 'Create').isEnabled()).toBe(true);
        },
      },
      {
        spec: "8, Success toasts: 'Project created'",
        async check(page) {
          await button(page, 'Create').click();
          await toast(page, 'Project created').waitFor();
          await card(page, made).getByRole('link').waitFor();
        },
      },
      {
        spec: '4, Optimistic changes: the card of the new project shows its fields',
        check: (page) => card(page, made).getByText('Mar 29, 2026'),
      },
    ],
  },
  {
    where: '/dashboard/projects/{id}/edit',
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard?search=${encodeURIComponent(made)}`);
      await page.getByRole('button', { name: `Actions for ${made}` }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('heading', { level: 1, name: 'Edit Project' }).waitFor();
    },
    cases: [
      {
        spec: "2, Project form: 'Back to Project Details'",
        check: (page) => button(page, 'Back to Project Details'),
      },
      {
        spec: '4, Submit buttons: on edit enabled only when something changed',
        async check(page) {
          expect(await button(page, 'Update').isDisabled()).toBe(true);
          await field(page, 'Objective').fill('No gate opens by itself.');
          await expect.poll(() => button(page, 'Update').isEnabled()).toBe(true);
        },
      },
      {
        spec: "8, Success toasts: 'Project updated'",
        async check(page) {
          await button(page, 'Update').click();
          await toast(page, 'Project updated').waitFor();
          await page.getByText('No gate opens by itself.').first().waitFor();
        },
      },
      {
        spec: 'issue, the status is changed where it is shown',
        async check(page) {
          await page.getByTitle('Change status').click();
          await page.getByRole('menuitemradio', { name: 'On Hold' }).click();
          await toast(page, `Status of “${made}” changed to On Hold`).waitFor();
        },
      },
      {
        spec: 'issue, deleting a project names the counts of what goes with it',
        async check(page) {
          await button(page, 'Delete').click();
          const dialog = page.getByRole('alertdialog', { name: `Delete “${made}”?` });
          await dialog.getByText('0 assets').waitFor();
          await dialog.getByRole('button', { name: 'Delete project' }).click();
        },
      },
      {
        spec: "8, Success toasts: 'Project deleted'",
        async check(page) {
          await toast(page, 'Project deleted').waitFor();
          await page.waitForURL('**/dashboard');
          await card(page, made).waitFor({ state: 'detached' });
        },
      },
      {
        spec: 'UX, Undo restores the project',
        async check(page) {
          await button(page, 'Undo').first().click();
          await toast(page, 'Project restored').waitFor();
          await card(page, made).waitFor();
        },
      },
    ],
  },
];
