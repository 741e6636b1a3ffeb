import { expect } from 'vitest';
import { harbour, logbooks, pilots } from '../harbour-reports.ts';
import { columnsOf, pageButtons, rowOf, rowsOf } from '../locators.ts';
import { abortCalls, goTo, load, type PageCase } from '../page-cases.ts';

const all = logbooks.length + 3;

export const filesList: readonly PageCase[] = [
  {
    where: '/dashboard/reports',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports'),
    cases: [
      {
        spec: "2, STIX files list titled 'All Uploaded Files'",
        check: (page) => page.getByRole('heading', { name: 'All Uploaded Files', level: 1 }),
      },
      {
        spec: '3, STIX file: name, version, counts, size, date',
        check: (page) =>
          expect
            .poll(() => columnsOf(page))
            .toEqual(['Name', 'STIX', 'State', 'Vulnerabilities', 'Threats', 'Size', 'Uploaded', 'Actions']),
      },
      {
        spec: '9, Paging: file list page size 10',
        check: (page) => page.getByText(`1–10 of ${all}`, { exact: true }),
      },
      {
        spec: '9, Paging: numbered pages',
        check: (page) => expect.poll(() => pageButtons(page)).toEqual([1, 2]),
      },
      {
        spec: '9, file size formatting',
        check: (page) => rowOf(page, pilots.name).getByText(/^\d+(?:\.\d{1,2})? (?:Bytes|KB)$/u),
      },
      {
        spec: '9, file dates with short month and time',
        check: (page) =>
          rowOf(page, pilots.name).getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d [AP]M$/u),
      },
      {
        spec: '2, row menu: Download, Extract vulnerability data, Extract threat data, Delete',
        async check(page) {
          await page.getByRole('button', { name: `Actions for ${pilots.name}` }).click();
          for (const name of ['Download', 'Extract vulnerability data', 'Extract threat data', 'Delete'])
            await page.getByRole('menuitem', { name, exact: true }).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: "2, Confirmation dialogs: 'This will extract vulnerabilities from {file}. This process may take a few moments.'",
        async check(page) {
          await page.getByRole('button', { name: `Actions for ${pilots.name}` }).click();
          await page.getByRole('menuitem', { name: 'Extract vulnerability data' }).click();
          const text = `This will extract vulnerabilities from ${pilots.name}. This process may take a few moments.`;
          await page.getByRole('alertdialog').getByText(text, { exact: true }).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: "2, Confirmation dialogs: 'Are you absolutely sure?'",
        async check(page) {
          await page.getByRole('button', { name: `Actions for ${pilots.name}` }).click();
          await page.getByRole('menuitem', { name: 'Delete' }).click();
          const question = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' });
          await question
            .getByText(
              'This action cannot be undone. This will permanently delete the file and all associated data.',
              { exact: true },
            )
            .waitFor();
          await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: '2, per-column sorting',
        async check(page) {
          await page.getByRole('button', { name: 'Size', exact: true }).click();
          await rowsOf(page).first().getByText(harbour.name).waitFor();
        },
      },
      {
        spec: '5, File search is case-insensitive over the name',
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search files' }).fill('PILOT-NOTES');
          await expect.poll(() => rowsOf(page).count()).toBe(1);
        },
      },
      {
        spec: '5, File search over counts',
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search files' }).fill('606');
          await rowOf(page, harbour.name).waitFor();
          await expect.poll(() => rowsOf(page).count()).toBe(1);
        },
      },
      {
        spec: "2, STIX files list: empty 'No files found.'",
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search files' }).fill('nothing-of-this-name');
          await page.getByText('No files found.', { exact: true }).waitFor();
        },
      },
      {
        spec: '2, bulk delete names the number of selected files',
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search files' }).fill('logbook');
          await expect.poll(() => rowsOf(page).count()).toBe(10);
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await page.getByRole('button', { name: 'Delete Selected (10)' }).click();
          const question = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' });
          await question
            .getByText(/permanently delete 10 selected files and all associated data\./u)
            .waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: '5, Bulk delete of files requires at least one file selected',
        async check(page) {
          await page.getByRole('button', { name: 'Clear selection' }).click();
          await page.getByRole('button', { name: /Delete Selected/u }).waitFor({ state: 'detached' });
        },
      },
      {
        spec: "2, Data Upload menu: 'Upload STIX/TAXII'",
        async check(page) {
          await page.getByRole('button', { name: 'Data Upload' }).click();
          await page.getByRole('menuitem', { name: 'Upload STIX/TAXII' }).click();
          await page.getByRole('dialog', { name: 'Upload STIX/TAXII Report' }).waitFor();
          await page.keyboard.press('Escape');
        },
      },
    ],
  },
  {
    where: '/dashboard/reports without a response',
    failures: [{ status: 'none', url: /^\/api\/reports\/files\?/u }],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/reports\/files\?/u);
      await load(page, scenario, '/dashboard/reports');
    },
    cases: [
      {
        spec: "2, STIX files list: error 'Failed to load files.'",
        async check(page) {
          await page.getByText('Failed to load files.').waitFor();
          await page.unroute(/\/api\/reports\/files\?/u);
        },
      },
    ],
  },
];
