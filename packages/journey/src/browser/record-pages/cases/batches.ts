import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { bundle, manyVulnerabilities, vulnerability } from '@riskboard/worker/testing/stix2';
import { goTo, type PageCase } from '../page-cases.ts';
import { openUpload, rowOf } from '../../../support/pages.ts';
import { until } from '../wait-until.ts';
import { repeatUnavailableInBrowser } from '../../../support/repeat-unavailable.ts';

const nameOf = (n: number): string => `quay-report-${String(n).padStart(2, '0')}.json`;
const withIssues = nameOf(5);
const broken = nameOf(8);

/** The fifth report has an object that cannot be read, the eighth ends too early. */
const files = Array.from({ length: 12 }, (_, index) => {
  const n = index + 1;
  const objects = manyVulnerabilities(3, 60_000 + n * 10);
  const invalid = { ...vulnerability(), id: 'not an identifier' };
  const text = bundle(nameOf(n) === withIssues ? [...objects, invalid] : objects);
  const buffer = Buffer.from(nameOf(n) === broken ? text.slice(0, -20) : text);
  return { name: nameOf(n), mimeType: 'application/json', buffer };
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Upload STIX/TAXII Report' });
/** A total by its label. */
const total = (page: Page, label: string): Promise<string> =>
  page
    .getByRole('region', { name: 'Totals' })
    .locator('dt', { hasText: label })
    .locator('xpath=../dd')
    .innerText();
/** A list has some texts twice, for wide and for narrow windows. */
const textIn = (page: Page, row: string, text: string | RegExp) =>
  rowOf(page, row).getByText(text, { exact: true }).filter({ visible: true });
const badge = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true });

/** Many files as one object (issue 14, batches). */
export const batchPages: readonly PageCase[] = [
  {
    where: 'the upload dialog with 12 files',
    async open(page, scenario) {
      await goTo(page, scenario, '/dashboard/reports');
      await openUpload(page);
      await dialogOf(page).locator('input[type=file]').first().setInputFiles(files);
    },
    cases: [
      {
        spec: 'Batches: a preview before the start with files, size, names that exist and estimated time',
        async check(page) {
          const dialog = dialogOf(page);
          for (const label of ['Files', 'Size', 'Names that exist', 'Estimated time'])
            await dialog.getByText(label, { exact: true }).waitFor();
        },
      },
      {
        spec: 'Batches: the upload of 12 files is one batch',
        async check(page) {
          await dialogOf(page).getByRole('button', { name: 'Upload 12 files' }).click();
          await dialogOf(page).getByRole('link', { name: 'View batch' }).click();
          await page.waitForURL('**/dashboard/batches/*');
          await page.getByRole('heading', { level: 1, name: /^12 files, / }).waitFor();
        },
      },
      {
        spec: 'Batches: live totals reach the end without a reload',
        async check(page) {
          await badge(page, 'Finished, 1 failed').waitFor();
          await page.getByText('of 12 files done').waitFor();
          expect(await total(page, 'Succeeded')).toBe('10');
          expect(await total(page, 'Failed')).toBe('1');
        },
      },
      {
        spec: 'Batches: "succeeded with issues" is a state of its own in words',
        check: (page) => textIn(page, withIssues, /^Succeeded with \d+ issues?$/u),
      },
      {
        spec: 'Batches: each file has one time axis with its attempts',
        check: (page) => rowOf(page, nameOf(1)).getByRole('img', { name: /Read, attempt 1: succeeded/u }),
      },
      {
        spec: 'Batches: the result of a failed file is one sentence with the location',
        check: (page) => textIn(page, broken, /\(line 1, column \d+\)/u),
      },
      {
        spec: 'Batches: only what failed is retried, and its attempts are nested in its time axis',
        async check(page) {
          await page.getByRole('button', { name: 'Retry 1 failed' }).click();
          await rowOf(page, broken)
            .getByRole('img', { name: /Read, attempt 2: failed/u })
            .waitFor();
          await badge(page, 'Finished, 1 failed').waitFor();
          expect(await rowOf(page, nameOf(1)).getByRole('img').getAttribute('aria-label')).not.toContain(
            'attempt 2',
          );
        },
      },
      {
        spec: 'Batches: what continues an upload is loaded with the page, as the connection may be lost later',
        check: (page) =>
          page.waitForFunction(() =>
            performance.getEntriesByType('resource').some(({ name }) => name.includes('continue-upload')),
          ),
      },
      {
        spec: 'Batches: a report over all files',
        async check(page) {
          const download = page.waitForEvent('download');
          await page.getByRole('button', { name: 'Download report' }).click();
          expect((await download).suggestedFilename()).toMatch(/\.csv$/u);
        },
      },
      {
        spec: 'Batches: All Uploaded Files shows issues in words too',
        async check(page) {
          await page.getByRole('link', { name: 'Files', exact: true }).first().click();
          await page.getByRole('searchbox').first().fill(withIssues);
          await textIn(page, withIssues, /^\d+ issues?$/u).waitFor();
        },
      },
    ],
  },
  {
    where: 'a paused batch',
    async open(page, scenario) {
      const { _id: id } = await scenario.api('POST', '/api/batches', { name: 'Night shift' });
      await scenario.api('POST', `/api/batches/${String(id)}/pause`, {});
      const { request } = page.context();
      for (const n of [1, 2]) {
        const buffer = Buffer.from(bundle(manyVulnerabilities(2, 70_000 + n * 10)));
        const reply = await repeatUnavailableInBrowser(() =>
          request.post(`${scenario.origin}/api/reports/upload?batch=${String(id)}`, {
            headers: { origin: scenario.origin },
            multipart: { stixFile: { name: `night-${n}.json`, mimeType: 'application/json', buffer } },
          }),
        );
        expect(reply.status()).toBe(201);
      }
      await scenario.api('POST', `/api/batches/${String(id)}/close`, {});
      await goTo(page, scenario, `/dashboard/batches/${String(id)}`);
    },
    cases: [
      {
        spec: 'Batches: a paused batch reads no file',
        async check(page) {
          await badge(page, 'Paused').waitFor();
          expect(await total(page, 'Queued')).toBe('2');
        },
      },
      {
        spec: 'Batches: a resumed batch continues to its end, and another tab sees it',
        async check(page) {
          const other = await page.context().newPage();
          await other.goto(page.url());
          await other
            .getByRole('button', { name: 'Pause' })
            .or(other.getByRole('button', { name: 'Resume' }))
            .waitFor();
          await page.getByRole('button', { name: 'Resume' }).click();
          for (const tab of [page, other]) await badge(tab, 'Finished').waitFor();
          await other.close();
        },
      },
      {
        spec: 'Batches: the list has every batch with its state and result',
        async check(page) {
          await page.getByRole('link', { name: 'Batches', exact: true }).first().click();
          await textIn(page, 'Night shift', 'Finished').waitFor();
          await until('the result of the batch', async () =>
            (await rowOf(page, 'Night shift').innerText()).includes('2 files'),
          );
        },
      },
    ],
  },
];
