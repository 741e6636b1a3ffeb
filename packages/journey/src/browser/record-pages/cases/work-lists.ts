import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { recall } from '../harbour-reports.ts';
import { columnsOf, rowOf } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';

/** Opens the filter of a column. @returns the labels and counts of its values */
async function valuesOf(page: Page, field: string): Promise<string[]> {
  await page.getByRole('button', { name: `Filter ${field}`, exact: true }).click();
  const list = page.getByRole('list', { name: `Values of ${field}` });
  // The values are shown before their counts have arrived.
  await list.getByRole('listitem').filter({ hasText: /\d$/u }).first().waitFor();
  const values = await list.getByRole('listitem').allTextContents();
  await page.keyboard.press('Escape');
  return values;
}

/** Exports the current list. @returns the columns of the CSV file, each of which must be quoted */
async function headOfCsv(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /as CSV$/u }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  const head = Buffer.concat(chunks).toString().replace('\u{feff}', '').split('\n')[0] ?? '';
  expect(head.trim()).toMatch(/^"[^"]*"(,"[^"]*")*$/u);
  return head.trim().replaceAll('"', '');
}

/** The lists of jobs, activity and objects without a record. */
export const workLists: readonly PageCase[] = [
  {
    where: '/dashboard/jobs',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/jobs'),
    cases: [
      {
        spec: 'contract, Lists: facets count the values of a column',
        check: (page) =>
          expect(valuesOf(page, 'State')).resolves.toContainEqual(expect.stringMatching(/^Done[1-9]/u)),
      },
      {
        spec: 'UX, tables: the filtered list as a file, with the content of its cells',
        check: (page) =>
          expect(headOfCsv(page)).resolves.toBe('File,Job,State,Result,Error,Duration (seconds),Requested'),
      },
    ],
  },
  {
    where: '/dashboard/activity',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/activity?noun=reports'),
    cases: [
      {
        spec: 'UX, activity: who, what, when, from where',
        check: (page) => expect.poll(() => columnsOf(page)).toEqual(['When', 'Who', 'What', 'IP address']),
      },
      {
        spec: 'contract, Lists: people are counted and shown by name',
        check: (page) =>
          expect(valuesOf(page, 'Person')).resolves.toContainEqual(expect.stringMatching(/^.+ <.+@.+>\d+$/u)),
      },
      {
        spec: 'UX, activity: exported with every field of an entry',
        check: (page) =>
          expect(headOfCsv(page)).resolves.toBe(
            'When,Person,Who,Via,Action,Area,Object,Name,Detail,IP address',
          ),
      },
    ],
  },
  {
    where: '/dashboard/reports/{id}, what is not in the lists',
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard/reports?search=${recall.name}`);
      await rowOf(page, recall.name).getByRole('link').first().click();
      await page.getByRole('table', { name: 'Objects not in the lists' }).waitFor();
    },
    cases: [
      {
        spec: 'contract, Lists: facets of one report',
        check: (page) => expect(valuesOf(page, 'Outcome')).resolves.toContainEqual('Revoked1'),
      },
      {
        spec: 'UX, import report: each with its location and reason, as a file too',
        check: (page) => expect(headOfCsv(page)).resolves.toBe('Location,Type,Outcome,Reason,ID'),
      },
    ],
  },
];
