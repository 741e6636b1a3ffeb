import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Download, Locator, Page } from 'playwright-core';
import { cves, flaws } from '../harbour-reports.ts';
import { rowOf, rowsOf, toast } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';

const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Search and commands' });
const help = (page: Page): Locator => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const pane = (page: Page, name: string): Locator => page.getByRole('complementary', { name });
/** Rows that match the filter below, highest score first. */
const scored = [flaws.v31, flaws.v40, flaws.v2] as const;
const scoredList = '/dashboard/reports/vulnerabilities?cvssScoreMin=6&sort=-cvssScore';

async function exported(page: Page, format: 'CSV' | 'JSON'): Promise<{ file: Download; text: string }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: `3 vulnerabilities as ${format}` }).click();
  const file = await download;
  return { file, text: await readFile(await file.path(), 'utf8') };
}

/** Presses a key while no input has the focus. */
async function pressOnPage(page: Page, key: string): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press(key);
}

let scenario: Scenario;

export const searchAndViews: readonly PageCase[] = [
  {
    where: 'the palette',
    open: (page, there) => goTo(page, there, '/dashboard/threats'),
    cases: [
      {
        spec: 'UX, palette: Ctrl/⌘K',
        async check(page) {
          await page.keyboard.press('Control+k');
          await palette(page).waitFor();
        },
      },
      {
        spec: 'UX, palette: pages',
        check: (page) => palette(page).getByRole('option', { name: /^Vulnerability data/u }),
      },
      {
        spec: 'UX, palette: actions (Upload)',
        check: (page) => palette(page).getByRole('option', { name: /^Upload STIX\/TAXII/u }),
      },
      {
        spec: 'UX, palette: actions (New…)',
        check: (page) => palette(page).getByRole('option', { name: /^New vulnerability/u }),
      },
      {
        spec: 'UX, palette: a CVE finds its record',
        async check(page) {
          await palette(page).getByRole('combobox').fill(cves.v2.toLowerCase());
          await palette(page)
            .getByRole('option', { name: new RegExp(flaws.v2, 'u') })
            .waitFor();
        },
      },
      {
        spec: 'UX, palette: and opens it',
        async check(page) {
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: flaws.v2, level: 1 }).waitFor();
        },
      },
      {
        spec: 'UX, palette: also a button; CAPEC and ATT&CK ids',
        async check(page) {
          for (const [id, name] of [
            ['CAPEC-148', 'Forged tide gauge'],
            ['T1566', 'Phishing of pilots'],
          ] as const) {
            await page.getByRole('button', { name: /^Search/u }).click();
            await palette(page).getByRole('combobox').fill(id);
            await palette(page)
              .getByRole('option', { name: new RegExp(name, 'u') })
              .click();
            await page.getByRole('heading', { name, level: 1 }).waitFor();
          }
        },
      },
    ],
  },
  {
    where: 'the keyboard in a list',
    open: async (page, there) => {
      await goTo(page, there, scoredList);
      await rowOf(page, flaws.v2).waitFor();
    },
    cases: [
      {
        spec: 'UX, keyboard: / search',
        async check(page) {
          await pressOnPage(page, '/');
          await page
            .getByRole('searchbox', { name: 'Search vulnerabilities' })
            .and(page.locator(':focus'))
            .waitFor();
          // In an input, the key is text.
          await page.keyboard.press('j');
          await page.getByRole('button', { name: 'Clear search' }).click();
        },
      },
      {
        spec: 'UX, keyboard: J/K row',
        async check(page) {
          await pressOnPage(page, 'j');
          await page.keyboard.press('j');
          await rowOf(page, scored[1]).and(page.locator(':focus')).waitFor();
          await page.keyboard.press('k');
          await rowOf(page, scored[0]).and(page.locator(':focus')).waitFor();
        },
      },
      {
        spec: 'UX, keyboard: X select',
        async check(page) {
          await page.keyboard.press('x');
          await page.getByText('1 selected').waitFor();
        },
      },
      {
        spec: 'UX, keyboard: Enter opens the row in a pane beside the list, and J moves it',
        async check(page) {
          await page.keyboard.press('Enter');
          await pane(page, scored[0]).getByRole('link', { name: 'Open full page' }).waitFor();
          await page.keyboard.press('j');
          await pane(page, scored[1]).waitFor();
          expect(new URL(page.url()).searchParams.get('peek')).toBe(
            await rowOf(page, scored[1]).getAttribute('data-id'),
          );
        },
      },
      {
        spec: 'issue, Peek beside the list: nothing covers a row, which is clicked, selected and sorted while the pane is open',
        async check(page) {
          const [list, beside] = await Promise.all([
            // What the table shows: it may be wider, and scrolls.
            page.getByRole('table').locator('xpath=..').boundingBox(),
            pane(page, scored[1]).boundingBox(),
          ]);
          expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
          await rowOf(page, scored[2]).getByRole('checkbox').click();
          await page.getByText('2 selected').waitFor();
          await rowOf(page, scored[2])
            .getByRole('cell')
            .nth(1)
            .click({ position: { x: 2, y: 2 } });
          await pane(page, scored[2]).waitFor();
          await page.keyboard.press('k');
          await pane(page, scored[1]).waitFor();
          await page.reload();
          await pane(page, scored[1]).getByText('Status').first().waitFor();
        },
      },
      {
        spec: 'issue, Peek beside the list: Escape closes the pane and leaves the focus on its row',
        async check(page) {
          await page.keyboard.press('Escape');
          await pane(page, scored[1]).waitFor({ state: 'detached' });
          await rowOf(page, scored[1]).and(page.locator(':focus')).waitFor();
        },
      },
      {
        spec: 'UX, keyboard: ? help',
        async check(page) {
          await pressOnPage(page, '?');
          await help(page).getByText('Next row').waitFor();
        },
      },
      {
        spec: 'UX, keyboard: single keys can be switched off (WCAG 2.1.4)',
        async check(page) {
          await help(page).getByRole('switch', { name: 'Single-key shortcuts' }).click();
          await page.keyboard.press('Escape');
          await help(page).waitFor({ state: 'detached' });
          await pressOnPage(page, '?');
          await pressOnPage(page, 'j');
          expect(await help(page).count()).toBe(0);
          expect(await rowsOf(page).and(page.locator(':focus')).count()).toBe(0);
          await page.evaluate(() => localStorage.clear());
        },
      },
    ],
  },
  {
    where: 'the filtered list as a file',
    open: async (page, there) => {
      await goTo(page, there, scoredList);
      await rowOf(page, flaws.v2).waitFor();
    },
    cases: [
      {
        spec: 'UX, export: CSV of current filter',
        async check(page) {
          const { file, text } = await exported(page, 'CSV');
          expect(file.suggestedFilename()).toBe('vulnerabilities.csv');
          const lines = text.trim().split(/\r?\n/u);
          expect(lines).toHaveLength(4);
          for (const [index, name] of scored.entries()) expect(lines[index + 1]).toContain(name);
          await toast(page, 'Download started', '3 vulnerabilities as CSV.').waitFor();
        },
      },
      {
        spec: 'UX, export: JSON of current filter',
        async check(page) {
          const { file, text } = await exported(page, 'JSON');
          expect(file.suggestedFilename()).toBe('vulnerabilities.json');
          expect((JSON.parse(text) as { name: string }[]).map(({ name }) => name)).toEqual(scored);
        },
      },
    ],
  },
  {
    where: 'columns and saved views',
    open: async (page, there) => {
      scenario = there;
      await goTo(page, there, scoredList);
      await rowOf(page, flaws.v2).waitFor();
    },
    cases: [
      {
        spec: 'UX, columns: chooser',
        async check(page) {
          await page.getByRole('button', { name: 'Columns' }).click();
          await page.getByRole('list', { name: 'Columns' }).getByRole('checkbox', { name: 'CWSS' }).click();
          await page.getByRole('columnheader', { name: /CWSS/u }).waitFor({ state: 'detached' });
          await page.getByRole('radio', { name: 'Compact' }).click();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: 'UX, saved views: name',
        async check(page) {
          await page.getByRole('button', { name: 'Views' }).click();
          await page.getByRole('menuitem', { name: 'Save as a new view…' }).click();
          const dialog = page.getByRole('dialog', { name: 'Save view' });
          await dialog.getByLabel('Name').fill('What burns');
          await dialog.getByRole('button', { name: 'Save view' }).click();
          await page.getByRole('button', { name: 'View: What burns' }).waitFor();
          expect(page.url()).toContain('view=');
        },
      },
      {
        spec: 'UX, saved views: share by permalink',
        async check(page) {
          const { ben } = scenario.pages;
          const view = new URL(page.url()).searchParams.get('view') ?? '';
          await ben.goto(`${scenario.origin}/dashboard/reports/vulnerabilities?view=${view}`);
          await ben.getByRole('button', { name: 'CVSS: min 6', exact: true }).waitFor();
          await expect.poll(() => rowsOf(ben).count()).toBe(3);
          await rowsOf(ben).first().getByText(scored[0]).waitFor();
          await ben.getByRole('columnheader', { name: /CWSS/u }).waitFor({ state: 'detached' });
        },
      },
    ],
  },
];
