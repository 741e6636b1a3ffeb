import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goTo, type PageCase } from '../page-cases.ts';

const header = 'Title,Summary,Severity,CVSS score,Owner';
const csv = [
  header,
  'Crane controller takes any password,Found on quay 3,9.8,9.8,Port team',
  'Yard camera shows its key,Found on quay 4,5.4,5.4,Port team',
  'Weighbridge keeps old firmware,Found on quay 5,6,twelve,Port team',
].join('\n');

const choose = (page: Page, name: string, text: string) =>
  page
    .getByLabel('CSV file', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const confirm = (page: Page, question: string, action: string) =>
  page.getByRole('alertdialog', { name: question }).getByRole('button', { name: action }).click();

/** The rows of the report. */
const reported = (page: Page) => page.getByRole('table', { name: 'Rows of the file' });

/** A real file from the upload to the undo of its import (issue 11, CSV import). */
export const imports: readonly PageCase[] = [
  {
    where: '/dashboard/vulnerabilities/import',
    failures: [{ status: 422, url: /^\/api\/imports\?/u }],
    open: (page, scenario) => goTo(page, scenario, '/dashboard/vulnerabilities/import'),
    cases: [
      {
        spec: 'CSV import: a template to download',
        async check(page) {
          const download = page.waitForEvent('download');
          await page.getByRole('link', { name: 'Download template' }).click();
          expect((await download).suggestedFilename()).toBe('vulnerabilities-template.csv');
        },
      },
      {
        spec: 'CSV import: a problem of the file is shown with its line',
        async check(page) {
          await choose(page, 'torn.csv', `${header}\n"Crane,1,2,3\n`);
          await page
            .getByRole('alert')
            .getByText(/line 2/iu)
            .waitFor();
        },
      },
      {
        spec: 'CSV import: columns are matched automatically and manually',
        async check(page) {
          await choose(page, 'quay.csv', csv);
          const field = (column: string) => page.getByRole('combobox', { name: `Field of column ${column}` });
          await field('Title').waitFor();
          expect(await field('Title').inputValue()).toBe('name');
          expect(await field('CVSS score').inputValue()).toBe('cvssScore');
          expect(await field('Owner').inputValue()).toBe('');
          await field('Owner').selectOption({ label: 'Reference' });
          await page.getByText('5 of 5 imported').waitFor();
          await page.reload();
          await page.getByText('5 of 5 imported').waitFor();
        },
      },
      {
        spec: 'CSV import: the preview shows each problem at its cell',
        async check(page) {
          const preview = page.getByRole('table', { name: 'Preview of the rows' });
          const row = preview.getByRole('row').filter({ hasText: 'Weighbridge' });
          await row.getByText('Fail', { exact: true }).waitFor();
          await row.getByRole('cell').filter({ hasText: 'twelve' }).getByText('Enter a number.').waitFor();
        },
      },
      {
        spec: 'CSV import: a dry run with counts writes nothing',
        async check(page) {
          await page.getByRole('button', { name: 'Check 3 rows' }).click();
          await page.getByRole('button', { name: 'Failed 1' }).waitFor();
          await page.getByRole('button', { name: 'To create 2' }).waitFor();
          await reported(page).getByRole('row').filter({ hasText: 'Weighbridge' }).waitFor();
        },
      },
      {
        spec: 'CSV import: the import names its counts and reports each row',
        async check(page) {
          await page.getByRole('button', { name: 'Import 2 rows' }).click();
          await confirm(page, 'Import 2 rows?', 'Import 2 rows');
          await page.getByRole('button', { name: 'Undo import' }).waitFor();
          await page.getByRole('button', { name: 'Created 2' }).click();
          await reported(page).getByRole('link', { name: 'Yard camera shows its key' }).waitFor();
        },
      },
      {
        spec: 'CSV import: the failed rows as CSV',
        async check(page) {
          await page.getByRole('button', { name: 'Failed 1' }).click();
          const download = page.waitForEvent('download');
          await page.getByRole('link', { name: '1 failed row as CSV' }).click();
          expect((await download).suggestedFilename()).toBe('quay-failed-rows.csv');
        },
      },
      {
        spec: 'CSV import: undo of the whole import',
        async check(page) {
          await page.getByRole('button', { name: 'Undo import' }).click();
          await confirm(page, 'Undo this import?', 'Undo import');
          await page.getByText(/This import was undone: 2 deleted/u).waitFor();
        },
      },
      {
        spec: 'CSV import: earlier imports lead to their report',
        async check(page) {
          await page.getByRole('link', { name: 'All imports' }).click();
          await page.getByRole('row').filter({ hasText: 'quay.csv' }).getByText('Undone').waitFor();
          await page.getByRole('link', { name: 'quay.csv' }).click();
          await page.getByText(/This import was undone/u).waitFor();
        },
      },
    ],
  },
];
