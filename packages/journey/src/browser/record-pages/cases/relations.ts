import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { seriousViolations } from '../../../support/axe.ts';
import { abortCalls, goTo, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const item = (page: Page, name: string): Locator =>
  page.getByRole('treeitem', { name: new RegExp(`^${name}`, 'u') });
const drawn = (page: Page, name: RegExp): Locator =>
  page.getByRole('application', { name }).and(page.locator('[data-drawn=true]'));

const flaw = 'Sluice pump accepts any command';

interface Sluice {
  project: string;
  portal: string;
  control: string;
  pump: string;
  spare: string;
}

let sluice: Sluice;

/** portal → control → pump, portal → pump; the pump has an open vulnerability, a spare part has no relation. */
async function createSluice({ api }: Scenario): Promise<Sluice> {
  const id = async (path: string, body: object) => String((await api('POST', path, body))['_id']);
  const project = await id('/api/projects', {
    name: 'Sluice automation',
    description: 'Everything that opens and closes the sluice.',
    startDate: '2026-02-02',
  });
  const asset = (name: string, relatedAssets: string[] = []) =>
    id(`/api/assets?projectId=${project}`, {
      name,
      description: `${name} of the sluice.`,
      assetTypeId: 2,
      relatedAssets,
    });
  const spare = await asset('Sluice spare motor');
  const pump = await asset('Sluice pump');
  const control = await asset('Sluice control', [pump]);
  const portal = await asset('Sluice portal', [control, pump]);
  await id('/api/vulnerabilities', {
    name: flaw,
    description: 'Commands are not authenticated.',
    severity: 9.1,
    status: 'open',
    relatedAssets: [pump],
  });
  return { project, portal, control, pump, spare };
}

/** Changes what the portal depends on, as another tab of the user would. */
const relatePortal = (page: Page, relatedAssets: string[]): Promise<void> =>
  page.evaluate(
    async ({ id, change }) => {
      await fetch(`/api/assets/${id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      });
    },
    { id: sluice.portal, change: { relatedAssets } },
  );

const accessible = (spec: string, card: string) => ({
  spec: `WCAG 2.2 AA: ${spec}, light and dark`,
  async check(page: Page) {
    const part = `section[aria-label="${card}"]`;
    const light = await seriousViolations(page, 'all', part);
    await page.emulateMedia({ colorScheme: 'dark' });
    // Colors change in a transition.
    await expect.poll(() => seriousViolations(page, 'colors', part)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(light).toEqual([]);
  },
});

/** Relationships, blast radius and dependency map. */
export const relations: readonly PageCase[] = [
  {
    where: '/dashboard/assets/{id}, its relationships',
    failures: [{ status: 'none', url: /\/hierarchy$/u }],
    async open(page, scenario) {
      sluice = await createSluice(scenario);
      await goTo(page, scenario, `/dashboard/assets/${sluice.control}`);
    },
    cases: [
      {
        spec: "2, Asset relationships: a 'Relationships' card",
        check: (page) => page.getByRole('heading', { name: 'Relationships', level: 2 }),
      },
      {
        spec: 'issue, Relationships: what depends on it, as a link',
        check: (page) => region(page, 'Required by').getByRole('link', { name: 'Sluice portal' }),
      },
      {
        spec: 'issue, Relationships: hierarchy as a tree, expanded by the keyboard',
        async check(page) {
          await region(page, 'Required by').getByRole('link', { name: 'Sluice portal' }).click();
          await page.getByRole('heading', { name: 'Sluice portal', level: 1 }).waitFor();
          await item(page, 'Sluice control').focus();
          await page.keyboard.press('ArrowRight');
          // Under the control and under the portal itself.
          await expect.poll(() => item(page, 'Sluice pump').count()).toBe(2);
          await page.keyboard.press('ArrowRight');
          expect(await item(page, 'Sluice pump').first().getAttribute('aria-level')).toBe('2');
        },
      },
      accessible('an expanded tree', 'Relationships'),
      {
        spec: '7, hierarchy: refreshed after an asset update',
        async check(page) {
          await relatePortal(page, [sluice.control, sluice.pump, sluice.spare]);
          await item(page, 'Sluice spare motor').waitFor();
        },
      },
      {
        spec: "8, 'Failed to load asset hierarchy', with Retry",
        async check(page) {
          const through = await abortCalls(page, /\/hierarchy$/u);
          await page.reload();
          const card = region(page, 'Relationships');
          await card.getByText('Failed to load asset hierarchy').waitFor();
          await through();
          await card.getByRole('button', { name: 'Retry' }).click();
          await item(page, 'Sluice control').waitFor();
        },
      },
      {
        spec: "8, Empty states: 'No relationships'",
        async check(page) {
          await relatePortal(page, [sluice.control, sluice.pump]);
          await item(page, 'Sluice spare motor').waitFor({ state: 'detached' });
          await page.goto(new URL(`/dashboard/assets/${sluice.spare}`, page.url()).href);
          await page.getByText('No relationships', { exact: true }).waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/assets/{id}, its blast radius',
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard/assets/${sluice.control}`);
      await drawn(page, /^Blast radius/u).waitFor();
    },
    cases: [
      {
        spec: 'issue, Blast radius: what depends on it, steps, and vulnerabilities that reach it',
        check: (page) =>
          page.getByText('1 asset depends on it, 1 step away; 1 open vulnerability reaches it.'),
      },
      {
        spec: '9, Graph height 600px',
        check: (page) =>
          expect.poll(async () => (await drawn(page, /^Blast radius/u).boundingBox())?.height).toBe(600),
      },
      {
        spec: 'issue, Blast radius: colored by health, sized by score',
        check: (page) => page.getByRole('list', { name: 'Assets: Health; size: risk score' }),
      },
      {
        spec: 'issue, Blast radius: the path of a vulnerability',
        async check(page) {
          await page.getByRole('combobox', { name: 'Find in the graph' }).fill('sluice pump acc');
          await page.getByRole('option', { name: flaw }).click();
          await region(page, `Vulnerability: ${flaw}`).getByText('Sluice control → Sluice pump').waitFor();
        },
      },
      {
        spec: 'issue, Blast radius: table of assets by distance',
        async check(page) {
          await page.getByRole('radio', { name: 'Table' }).click();
          const table = page.getByRole('table', { name: 'Assets that depend on it' });
          await table.getByRole('rowheader', { name: 'Sluice portal' }).waitFor();
        },
      },
      accessible('the table of assets', 'Blast radius'),
      {
        spec: 'issue, Blast radius: table of vulnerabilities with their path, which the graph shows',
        async check(page) {
          await page.getByRole('radio', { name: 'Vulnerabilities' }).click();
          const table = page.getByRole('table', { name: 'Open vulnerabilities that reach it' });
          await table.getByText('Sluice control → Sluice pump').waitFor();
          await table.getByRole('button', { name: `Show the path of ${flaw}` }).click();
          await region(page, `Vulnerability: ${flaw}`).waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/projects/{id}, its dependency map',
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard/projects/${sluice.project}`);
      await drawn(page, /^Dependency map/u).waitFor();
    },
    cases: [
      {
        spec: 'issue, Dependency map: how many assets it shows',
        check: (page) => region(page, 'Dependency map').getByText('4 assets.'),
      },
      {
        spec: '9, zoom initial 0.5',
        check: (page) =>
          region(page, 'Dependency map').getByRole('status', { name: 'Zoom' }).getByText('50%'),
      },
      {
        spec: '9, Graph height 600px',
        check: (page) =>
          expect.poll(async () => (await drawn(page, /^Dependency map/u).boundingBox())?.height).toBe(600),
      },
      {
        spec: 'issue, Dependency map: colored by health, sized by score, explained by a legend',
        check: (page) =>
          region(page, 'Dependency map').getByRole('list', { name: 'Assets: Health; size: risk score' }),
      },
      accessible('the dependency map', 'Dependency map'),
      {
        spec: 'issue, Dependency map: table as the accessible alternative',
        async check(page) {
          await region(page, 'Dependency map').getByRole('radio', { name: 'Table' }).click();
          const table = page.getByRole('table', { name: 'Assets of the map' });
          for (const name of ['Sluice portal', 'Sluice control', 'Sluice pump', 'Sluice spare motor'])
            await table.getByRole('rowheader', { name }).waitFor();
          await region(page, 'Dependency map').getByRole('radio', { name: 'Graph' }).click();
        },
      },
      {
        spec: 'issue, Dependency map: search, and a card that opens the asset',
        async check(page) {
          await page.getByRole('combobox', { name: 'Find in the graph' }).fill('sluice po');
          await page.getByRole('option', { name: /Sluice portal/u }).click();
          const card = region(page, 'Asset: Sluice portal');
          await card.getByText('Sluice automation').waitFor();
          await card.getByRole('button', { name: 'Open asset' }).click();
          await page.getByRole('heading', { name: 'Sluice portal', level: 1 }).waitFor();
        },
      },
    ],
  },
];
