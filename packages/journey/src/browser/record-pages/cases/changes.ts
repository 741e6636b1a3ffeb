import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { berths, flaws } from '../harbour-reports.ts';
import { dismissToasts, rowOf, rowsOf, toast } from '../locators.ts';
import { abortCalls, goTo, type SpecCase, type PageCase } from '../page-cases.ts';

/** Calls for single records and bulk actions, not lists. */
const vulnerabilities = /\/api\/vulnerabilities\//u;
const threats = /\/api\/threats\//u;

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
}

/** Deletes the selected rows after the confirmation, which names their number. */
async function deleteSelected(page: Page, counted: string): Promise<void> {
  await page.getByRole('button', { name: /^Delete Selected/u }).click();
  const question = page.getByRole('alertdialog', { name: `Delete ${counted}?` });
  await question.getByRole('button', { name: `Delete ${counted}` }).click();
}

const undone = (spec: string, message: string, name: string): SpecCase => ({
  spec,
  async check(page) {
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, message).waitFor();
    await rowOf(page, name).waitFor();
    await dismissToasts(page);
  },
});

interface RolledBack {
  name: string;
  url: RegExp;
  message: string;
}

/** A deletion without a response: the row disappears at once and is restored. */
const rolledBack = (spec: string, { name, url, message }: RolledBack): SpecCase => ({
  spec,
  async check(page) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(url, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      await held;
      return route.abort();
    });
    await choose(page, name, 'Delete');
    await rowOf(page, name).waitFor({ state: 'detached' });
    release();
    await toast(page, message).waitFor();
    await rowOf(page, name).waitFor();
    await page.unroute(url);
    await dismissToasts(page);
  },
});

/** Checks a download's name and its toast. */
const downloaded = (name: string): SpecCase => ({
  spec: '7, The file download: the name with a .json suffix, content pretty-printed JSON',
  async check(page) {
    const download = page.waitForEvent('download');
    await choose(page, name, 'Download');
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${name}.json`);
    await toast(page, 'Download started').waitFor();
    await dismissToasts(page);
  },
});

const notDownloaded = (name: string, url: RegExp): SpecCase => ({
  spec: "8, Error toasts: 'Download failed'",
  async check(page) {
    const through = await abortCalls(page, url);
    await choose(page, name, 'Download');
    await toast(page, 'Download failed').waitFor();
    await through();
    await dismissToasts(page);
  },
});

const some = [
  'Berth 001 runs old software',
  'Berth 002 runs old software',
  'Berth 003 runs old software',
] as const;
const watches = ['Watch 001 is slept through', 'Watch 002 is slept through'] as const;

export const changes: readonly PageCase[] = [
  {
    where: '/dashboard/reports/vulnerabilities, row actions',
    failures: [
      { status: 'none', url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u },
      { status: 'none', url: /^\/api\/vulnerabilities\/bulk$/u },
      { status: 503, url: /^\/api\/vulnerabilities\/bulk$/u },
    ],
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports/vulnerabilities?sort=-cvssScore'),
    cases: [
      downloaded(flaws.v2),
      notDownloaded(flaws.v40, vulnerabilities),
      rolledBack("8, 'Failed to delete vulnerability. Please try again.' with rollback", {
        name: flaws.low,
        url: vulnerabilities,
        message: 'Failed to delete vulnerability. Please try again.',
      }),
      {
        spec: "8, Success toasts: 'Vulnerability deleted'",
        async check(page) {
          await choose(page, flaws.low, 'Delete');
          await toast(page, 'Vulnerability deleted').waitFor();
          await rowOf(page, flaws.low).waitFor({ state: 'detached' });
        },
      },
      undone('UX, destructive safety: Undo', 'Vulnerability restored', flaws.low),
      {
        spec: "2, bulk selection with 'Delete Selected (n)'",
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search vulnerabilities' }).fill('berth 00');
          await expect.poll(() => rowsOf(page).count()).toBe(9);
          await select(page, some);
          await page.getByRole('button', { name: 'Delete Selected (3)' }).waitFor();
        },
      },
      {
        spec: 'UX, header tri-state',
        check: (page) =>
          page
            .getByRole('checkbox', { name: 'Select all rows on this page' })
            .and(page.locator(':indeterminate')),
      },
      {
        spec: 'UX, destructive safety: focus on Cancel, count and names',
        async check(page) {
          await page.getByRole('button', { name: 'Delete Selected (3)' }).click();
          const question = page.getByRole('alertdialog', { name: 'Delete 3 vulnerabilities?' });
          for (const name of some) await question.getByText(name).waitFor();
          await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
          await page.keyboard.press('Escape');
          await question.waitFor({ state: 'detached' });
        },
      },
      {
        spec: "8, bulk vulnerability delete 'Delete failed', and the rows come back",
        async check(page) {
          const through = await abortCalls(page, vulnerabilities, 'DELETE');
          await deleteSelected(page, '3 vulnerabilities');
          await toast(page, 'Delete failed').waitFor();
          await expect.poll(() => rowsOf(page).count()).toBe(9);
          await page.getByRole('button', { name: 'Delete Selected (3)' }).waitFor();
          await through();
          await dismissToasts(page);
        },
      },
      {
        spec: "8, bulk vulnerability delete: the server's message, or 'Unknown error'",
        async check(page) {
          await page.route(vulnerabilities, (route) =>
            route.request().method() === 'DELETE'
              ? route.fulfill({
                  status: 503,
                  json: {
                    statusCode: 503,
                    code: 'x',
                    error: 'x',
                    message: 'The quay is closed.',
                    requestId: 'r',
                  },
                })
              : route.fallback(),
          );
          await deleteSelected(page, '3 vulnerabilities');
          await toast(page, 'Delete failed', 'The quay is closed.').waitFor();
          await page.unroute(vulnerabilities);
          await dismissToasts(page);
        },
      },
      {
        spec: 'issue, Editing: bulk edit of status',
        async check(page) {
          await page.getByRole('button', { name: 'Edit Selected (3)' }).click();
          const dialog = page.getByRole('dialog', { name: 'Edit 3 vulnerabilities' });
          await dialog.getByText('Choose what to change first.').waitFor();
          await dialog.getByLabel('Status', { exact: true }).click();
          await page.getByRole('option', { name: 'Accepted' }).click();
          await dialog.getByRole('button', { name: 'Change 3 vulnerabilities' }).click();
          await toast(page, 'Vulnerabilities updated').waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: "8, 'Vulnerabilities deleted' ('{n} vulnerabilities were removed.')",
        async check(page) {
          await select(page, some);
          await deleteSelected(page, '3 vulnerabilities');
          await toast(page, 'Vulnerabilities deleted', '3 vulnerabilities were removed.').waitFor();
          await expect.poll(() => rowsOf(page).count()).toBe(6);
        },
      },
      undone('UX, destructive safety: Undo of many', 'Vulnerabilities restored', some[0]),
    ],
  },
  {
    where: '/dashboard/reports/threats, row actions',
    failures: [
      { status: 'none', url: /^\/api\/threats\/[\da-f-]{36}$/u },
      { status: 'none', url: /^\/api\/threats\/bulk$/u },
    ],
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports/threats?search=watch+00'),
    cases: [
      downloaded(watches[0]),
      rolledBack("8, 'delete threat' with rollback", {
        name: watches[0],
        url: threats,
        message: 'Error: Failed to delete threat. Please try again.',
      }),
      {
        spec: "8, Success toasts: 'Threat deleted'",
        async check(page) {
          await choose(page, watches[0], 'Delete');
          await toast(page, 'Threat deleted').waitFor();
        },
      },
      undone('UX, destructive safety: Undo', 'Threat restored', watches[0]),
      {
        spec: "8, 'Failed to delete threats. Please try again.'",
        async check(page) {
          await select(page, watches);
          const through = await abortCalls(page, threats, 'DELETE');
          await deleteSelected(page, '2 threats');
          await toast(page, 'Error: Failed to delete threats. Please try again.').waitFor();
          await through();
          await dismissToasts(page);
        },
      },
      {
        spec: "8, 'Threats deleted: N threats were successfully deleted.'",
        async check(page) {
          await deleteSelected(page, '2 threats');
          await toast(page, 'Threats deleted', '2 threats were successfully deleted.').waitFor();
        },
      },
      undone('UX, destructive safety: Undo of many', 'Threats restored', watches[1]),
    ],
  },
  {
    where: '/dashboard/reports/vulnerabilities, all matching rows',
    open: (page, scenario) =>
      goTo(page, scenario, '/dashboard/reports/vulnerabilities?search=runs+old+software'),
    cases: [
      {
        spec: "UX, 'All 10 on page selected – select all N matching'",
        async check(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await page.getByText('All 10 on this page are selected.').waitFor();
          await page.getByRole('button', { name: `Select all ${berths} matching rows` }).click();
          await page.getByText(`All ${berths} matching rows are selected.`).waitFor();
        },
      },
      {
        spec: 'issue, the selection goes over pages',
        async check(page) {
          await page.getByRole('button', { name: 'Page 2', exact: true }).click();
          await page.getByText(`11–20 of ${berths}`, { exact: true }).waitFor();
          await page.getByRole('button', { name: `Delete Selected (${berths})` }).waitFor();
        },
      },
      {
        spec: 'UX, > 500 rows runs as a job',
        async check(page) {
          const reply = page.waitForResponse((one) => one.request().method() === 'DELETE');
          await deleteSelected(page, `${berths} vulnerabilities`);
          expect((await reply).status()).toBe(202);
        },
      },
      {
        spec: "8, 'Vulnerabilities deleted' at the job's end",
        check: (page) => toast(page, 'Vulnerabilities deleted'),
      },
      {
        spec: "2, empty 'No vulnerabilities found'",
        check: (page) => page.getByText('No vulnerabilities found', { exact: true }),
      },
    ],
  },
];
