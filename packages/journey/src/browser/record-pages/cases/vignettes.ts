import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { columnsOf, dismissToasts, rowOf, rowsOf, toast } from '../locators.ts';
import { load, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';

const name = 'Pilot boats';

const fileOf = (content: object) => ({
  name: 'pilot-boats.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
});
const cell = (subscore: unknown) => ({ impact: 'Read data', layer: 'Application', subscore });

let current: Scenario;

async function chooseFile(page: Page, content: object): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload Vignette' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload CWRAF Vignette' });
  await dialog.locator('input[type=file]').setInputFiles(fileOf(content));
  return dialog;
}

const rating = (page: Page, impact: string, layer: string): Locator =>
  page.getByRole('textbox', { name: `${impact}, ${layer}`, exact: true });
const preview = (page: Page): Locator => page.getByRole('region', { name: 'Preview', exact: true });

/** The pages of vignettes; a vulnerability has CWE-787, whose consequences include changed memory. */
export const vignettePages: readonly PageCase[] = [
  {
    where: '/dashboard/reports/vignettes',
    failures: [{ status: 422, url: /^\/api\/reports\/upload-vignette$/u }],
    async open(page, scenario) {
      current = scenario;
      await load(page, scenario, '/dashboard/reports/vignettes');
      await rowsOf(page).first().waitFor();
    },
    cases: [
      {
        spec: '12, Vignettes: list',
        check: async (page) =>
          expect(await columnsOf(page)).toEqual([
            'Name',
            'Scorecard',
            'Origin',
            'Version',
            'Rated cells',
            'Vulnerabilities',
            'Updated',
            'Actions',
          ]),
      },
      {
        spec: "12, a starter set of our own, labelled as ours, not MITRE's",
        check: (page) => rowOf(page, 'Online banking').getByText('Riskboard starter, not MITRE'),
      },
      {
        spec: '5, the upload button is disabled without a chosen file',
        async check(page) {
          await page.getByRole('button', { name: 'Upload Vignette' }).first().click();
          const dialog = page.getByRole('dialog', { name: 'Upload CWRAF Vignette' });
          await expect.poll(() => dialog.getByRole('button', { name: 'Upload' }).isDisabled()).toBe(true);
          await dialog.getByRole('button', { name: 'Cancel' }).click();
          await dialog.waitFor({ state: 'detached' });
        },
      },
      {
        spec: '12, a malformed vignette is refused with the path of what is wrong',
        async check(page) {
          const dialog = await chooseFile(page, { name, scorecard: [cell(11)] });
          await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
          await dialog.getByRole('alert').getByText('scorecard[0].subscore').waitFor();
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
          await dismissToasts(page);
        },
      },
      {
        spec: "8, 'Vignette created' with ID and scorecard",
        async check(page) {
          const dialog = await chooseFile(page, { name, scorecardName: 'Boats', scorecard: [cell(5)] });
          await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
          await toast(page, 'Vignette created', /Boats/u).waitFor();
          await dismissToasts(page);
          await rowOf(page, name).waitFor();
        },
      },
      {
        spec: "8, 'Vignette replaced' with ID and scorecard",
        async check(page) {
          const dialog = await chooseFile(page, { name, scorecardName: 'Boats', scorecard: [cell(6)] });
          await dialog.getByText('If its content differs, the file becomes version 2.').waitFor();
          await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
          await toast(page, 'Vignette replaced', /Boats/u).waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
  {
    where: '/dashboard/reports/vignettes/{id}',
    async open(page) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    },
    cases: [
      {
        spec: '12, Vignettes: detail with its scorecard and versions',
        async check(page) {
          await page.getByRole('grid', { name: 'Scorecard' }).getByText('6', { exact: true }).waitFor();
          await page.getByRole('region', { name: 'Versions' }).getByText('Version 1').waitFor();
        },
      },
      {
        spec: '12, Vignettes: download',
        async check(page) {
          const download = page.waitForEvent('download');
          await page.getByRole('button', { name: 'Download' }).click();
          expect((await download).suggestedFilename()).toMatch(/\.json$/u);
          await toast(page, 'Download started').waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: '12, an editor of the 8 x 4 scorecard as a grid',
        async check(page) {
          await page.getByRole('link', { name: 'Edit', exact: true }).click();
          await rating(page, 'Hide activities', 'Enterprise').waitFor();
          expect(await page.getByRole('grid', { name: 'Scorecard' }).getByRole('textbox').count()).toBe(32);
        },
      },
      {
        spec: '12, with a live preview of how the known vulnerabilities would move',
        async check(page) {
          await preview(page).getByText('No score differs').waitFor();
          await rating(page, 'Modify data', 'System').fill('10');
          await preview(page).getByRole('list', { name: 'Largest moves' }).waitFor();
        },
      },
      {
        spec: '12, the arrow keys move between cells, and Delete clears one',
        async check(page) {
          await rating(page, 'Read data', 'System').focus();
          await page.keyboard.press('ArrowRight');
          const read = rating(page, 'Read data', 'Application');
          await read.and(page.locator(':focus')).waitFor();
          await page.keyboard.press('Delete');
          await expect.poll(() => read.inputValue()).toBe('');
        },
      },
      {
        spec: '12, A changed vignette is a new version',
        async check(page) {
          await page.getByRole('button', { name: 'Save' }).click();
          await page.waitForURL(/\/vignettes\/[\w-]{36}$/u);
          await page.getByText('Version 3').first().waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: '12, Vignettes: delete, after a confirmation that says what happens',
        async check(page) {
          await page.getByRole('button', { name: 'Delete' }).click();
          const dialog = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' });
          await dialog.getByText('No vulnerability is scored with it.').waitFor();
          await dialog.getByRole('button', { name: 'Delete' }).click();
          await toast(page, 'Vignette deleted').waitFor();
          await dismissToasts(page);
          await page.waitForURL(/\/vignettes$/u);
          const { items } = await current.api(
            'GET',
            `/api/reports/vignette?search=${encodeURIComponent(name)}`,
          );
          expect(items).toEqual([]);
        },
      },
    ],
  },
];
