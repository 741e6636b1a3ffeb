import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { flaws } from './harbour-report.ts';
import { rowsOf } from './on-screen.ts';
import type { World } from './world.ts';

const wide = { width: 1280, height: 900 } as const;
const narrow = { width: 390, height: 844 } as const;

/** What to look at: a route, what of it is there at last, and what a person opens on it. */
interface Scene {
  name: string;
  route: (world: World) => string;
  ready: (page: Page) => Promise<unknown>;
  /** Opens a dialog, menu or panel; it alone is looked at. */
  opened?: readonly { name: string; open: (page: Page) => Promise<unknown>; part: string }[];
}

/** A scene on a screen of one size. */
type Sized = Scene & { size: typeof wide | typeof narrow; width: number };

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const rows = (page: Page) => rowsOf(page).first().waitFor();
const dialog = '[role=dialog]';
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const lists: readonly Scene[] = [
  {
    name: 'vulnerabilities',
    route: () => '/dashboard/vulnerabilities?severity=critical',
    ready: rows,
    opened: [
      { name: 'a filter', open: button('Filter Severity, set'), part: dialog },
      { name: 'the columns', open: button('Columns'), part: dialog },
      { name: 'a row’s panel', open: (page) => rowsOf(page).first().click(), part: dialog },
    ],
  },
  {
    name: 'vulnerability data',
    route: () => '/dashboard/reports/vulnerabilities?cvssScoreMin=7&sort=-cvssScore',
    ready: rows,
    opened: [
      { name: 'the CWE panel', open: button(`CWE-787 of ${flaws.v2}`), part: 'dialog' },
      { name: 'a row’s menu', open: button(`Actions for ${flaws.v2}`), part: '[role=menu]' },
      {
        name: 'the bulk edit',
        async open(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await button(/^Edit Selected/u)(page);
        },
        part: dialog,
      },
      {
        name: 'the question before a deletion',
        open: button(/^Delete Selected/u),
        part: '[role=alertdialog]',
      },
    ],
  },
  { name: 'threats', route: () => '/dashboard/threats?risk=high', ready: rows },
  { name: 'threat data', route: () => '/dashboard/reports/threats', ready: rows },
  { name: 'files', route: () => '/dashboard/reports', ready: rows },
];

const pages: readonly Scene[] = [
  {
    name: 'a vulnerability',
    route: ({ made }) => `/dashboard/vulnerabilities/${made.vulnerabilities.nine}`,
    ready: (page) => page.locator('[data-drawn=true]').waitFor(),
    opened: [
      { name: 'the palette', open: (page) => page.keyboard.press('Control+k'), part: dialog },
      { name: 'the help of the keyboard', open: (page) => page.keyboard.press('?'), part: dialog },
      {
        name: 'the graph as a table',
        open: (page) => page.getByRole('radio', { name: 'Table' }).click(),
        part: 'main',
      },
    ],
  },
  { name: 'a threat', route: ({ made }) => `/dashboard/threats/${made.threats.above}`, ready: heading },
  { name: 'a new vulnerability', route: () => '/dashboard/vulnerabilities/new', ready: heading },
  {
    name: 'a vulnerability’s form',
    route: ({ made }) => `/dashboard/vulnerabilities/${made.vulnerabilities.nine}/edit`,
    ready: (page) => page.getByRole('combobox', { name: 'Related assets' }).waitFor(),
    opened: [
      {
        name: 'the picker of assets',
        open: (page) => page.getByRole('combobox', { name: 'Related assets' }).click(),
        part: '[role=listbox]',
      },
    ],
  },
  { name: 'a new threat', route: () => '/dashboard/threats/new', ready: heading },
];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] as const;

/** All rules where everything is new; of the other theme, what a theme can change. */
type Rules = 'all' | 'colors';

async function serious(
  page: Page,
  { part, rules }: { part: string | undefined; rules: Rules },
): Promise<string[]> {
  const chosen =
    rules === 'all'
      ? { values: [...tags], type: 'tag' as const }
      : { values: ['color-contrast', 'link-in-text-block'], type: 'rule' as const };
  const axe = new AxeBuilder({ page }).options({ runOnly: chosen, resultTypes: ['violations'] });
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}

/** One Escape is enough, wherever the focus has gone. */
async function close(page: Page, part: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator(part).first().waitFor({ state: 'detached' });
}

interface Look {
  page: Page;
  rules: Rules;
  world: World;
}

async function lookAtScene({ route, ready, opened = [], size }: Sized, { page, rules, world }: Look) {
  await page.setViewportSize(size);
  await page.goto(`${world.origin}${route(world)}`);
  await ready(page);
  const found = await serious(page, { part: undefined, rules });
  for (const { open, part, name } of opened) {
    await open(page);
    await page.locator(part).first().waitFor();
    found.push(...(await serious(page, { part, rules })).map((one) => `${name}: ${one}`));
    if (part !== 'main') await close(page, part);
  }
  return found;
}

/** WCAG 2.2 AA by axe: nothing serious on any page or in any dialog of the desk, in either theme, wide or narrow. */
export function lookForBarriers(world: () => World): void {
  const all: readonly Sized[] = [
    ...[...lists, ...pages].map((scene) => ({ ...scene, size: wide, width: wide.width })),
    ...lists.map(({ name, route, ready }) => ({ name, route, ready, size: narrow, width: narrow.width })),
  ];
  describe('axe', () => {
    beforeAll(() => world().pages.ben.emulateMedia({ colorScheme: 'dark' }));

    test.each(all)('$name at $width', async (scene) => {
      const { ada, ben } = world().pages;
      // Two people look: a theme that changes while a page is open would be caught half-way.
      const [light, dark] = await Promise.all([
        lookAtScene(scene, { page: ada, rules: 'all', world: world() }),
        lookAtScene(scene, { page: ben, rules: 'colors', world: world() }),
      ]);
      expect({ light, dark }).toEqual({ light: [], dark: [] });
    });
  });
}
