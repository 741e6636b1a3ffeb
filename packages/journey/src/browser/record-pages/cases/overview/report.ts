import { mostReportRows } from '@riskboard/contract';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { goTo, type PageCase } from '../../page-cases.ts';
import { repeatUnavailableInBrowser } from '../../../../support/repeat-unavailable.ts';

interface Metrics {
  readonly overallRisk: { readonly value: number };
  readonly openVulnerabilities: { readonly value: number };
}

/** The lines of the file that a link downloads. */
async function download(page: Page, name: string): Promise<string[]> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await waiting).createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8').trim().split(/\r?\n/u);
}

async function metricsOf(page: Page): Promise<Metrics> {
  const reply = await repeatUnavailableInBrowser(() =>
    page.request.get(new URL('/api/overview/metrics', page.url()).href),
  );
  return (await reply.json()) as Metrics;
}

/** The risk report, which the overview and each project open. */
export const riskReportCases: readonly PageCase[] = [
  {
    where: '/dashboard/report, opened from the overview',
    async open(page, scenario) {
      await goTo(page, scenario, '/dashboard/overview');
      await page.getByRole('main').getByRole('link', { name: 'Risk report' }).click();
      await page.getByRole('heading', { level: 1, name: 'Risk report' }).waitFor();
    },
    cases: [
      {
        spec: 'issue, Report: the printable report has the numbers of the overview and names its time and sources',
        async check(page) {
          const { overallRisk, openVulnerabilities } = await metricsOf(page);
          const opened = page.waitForEvent('popup');
          await page.getByRole('link', { name: 'Open printable report' }).click();
          const report = await opened;
          await report.getByRole('heading', { level: 1 }).waitFor();
          const text = (await report.locator('body').innerText()).replaceAll(/\s+/gu, ' ');
          expect(text).toMatch(new RegExp(`Overall Risk Score \\(\\w+\\) ${overallRisk.value} `, 'u'));
          expect(text).toContain(`Open Vulnerabilities ${openVulnerabilities.value} `);
          expect(text).toMatch(/UTC/u);
          expect(await report.getByRole('heading', { name: 'Sources' }).count()).toBe(1);
          await report.close();
        },
      },
      {
        spec: 'issue, Report: a table of it as CSV',
        async check(page) {
          const [head, ...rows] = await download(page, 'Download Open vulnerabilities as CSV');
          expect(head).toMatch(/Severity/u);
          const { value } = (await metricsOf(page)).openVulnerabilities;
          expect(rows).toHaveLength(Math.min(value, mostReportRows));
          await page.getByText(`Tables of records have the first ${mostReportRows} rows`).waitFor();
        },
      },
      {
        spec: 'issue, Report: a schedule by mail is kept',
        async check(page) {
          await page.getByRole('radio', { name: 'Every week' }).click();
          await page.getByText('You get the report every week').first().waitFor();
          await page.reload();
          await page.getByText(/^The next email is due on/u).waitFor();
          expect(await page.getByRole('radio', { name: 'Every week' }).getAttribute('aria-checked')).toBe(
            'true',
          );
        },
      },
    ],
  },
  {
    where: '/dashboard/report, opened from a project',
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard/projects/${scenario.seed.project}`);
      await page.getByRole('main').getByRole('link', { name: 'Risk report' }).click();
      await page.getByRole('heading', { level: 1, name: 'Risk report' }).waitFor();
    },
    cases: [
      {
        spec: 'issue, Report: of the project only',
        async check(page) {
          const opened = page.waitForEvent('popup');
          await page.getByRole('link', { name: 'Open printable report' }).click();
          const report = await opened;
          await report.getByRole('heading', { level: 1, name: /Harbour renewal/u }).waitFor();
          await report.close();
        },
      },
    ],
  },
];
