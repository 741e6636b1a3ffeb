import type { Locator, Page } from 'playwright-core';
import { dismissToasts, toast } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';

const radar = 'Tide radar';
const flaw = 'Tide radar accepts any login';

/** What the cases of one page share: the second browser, and the records that `open` created. */
const shared: { other?: Page; assetId?: string } = {};

function otherBrowser(): Page {
  if (shared.other === undefined) throw new Error('the page is not open');
  return shared.other;
}

const scenarioOf = (page: Page) => page.getByRole('region', { name: 'Threat scenario' });
const health = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true });

async function createRecords({ api, seed }: Scenario): Promise<string> {
  const crane = await api('GET', `/api/assets/${seed.assets.crane}`);
  const asset = await api('POST', `/api/assets?projectId=${String(crane['projectId'])}`, {
    name: radar,
    description: 'Measures the water.',
    assetTypeId: 1,
  });
  await api('POST', '/api/vulnerabilities', { name: flaw, description: 'A default password.', severity: 8 });
  await api('POST', '/api/threats', { name: 'Jamming', description: 'The tide radar hears nothing.' });
  return String(asset['_id']);
}

/** Chooses the only threat with this name. The list before the search has it too, and moves away under the mouse. */
async function relateOnly(dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('searchbox', { name: 'Search threats' }).fill(name);
  await dialog.getByRole('checkbox').nth(1).waitFor({ state: 'detached' });
  await dialog.getByRole('checkbox', { name }).click();
  await dialog.getByRole('button', { name: 'Relate 1 threat' }).click();
}

/** The chosen threat of the dialog is related when it closes. */
async function relateThreat(page: Page, name: string): Promise<void> {
  await scenarioOf(page).getByRole('button', { name: 'Relate threats' }).click();
  const dialog = page.getByRole('dialog', { name: 'Relate threats' });
  await relateOnly(dialog, name);
  await dialog.waitFor({ state: 'detached' });
}

export const relating: readonly PageCase[] = [
  {
    where: 'the page of an asset, open in two browsers',
    async open(page, scenario) {
      shared.assetId = await createRecords(scenario);
      shared.other = scenario.pages.ben;
      for (const one of [page, shared.other]) {
        await goTo(one, scenario, `/dashboard/assets/${shared.assetId}`);
        await health(one, 'Healthy').first().waitFor();
      }
    },
    cases: [
      {
        spec: 'issue 11, Relating: suggestions and their reason',
        check: (page) =>
          page
            .getByRole('region', { name: 'Suggested vulnerabilities' })
            .getByText(`The name contains the asset's name, “${radar}”.`),
      },
      {
        spec: 'issue 11, Relating: a suggestion that is accepted changes health in the other browser',
        async check(page) {
          await page.getByRole('button', { name: `Relate ${flaw}` }).click();
          await toast(page, 'Relations changed').waitFor();
          await health(otherBrowser(), 'Warning').first().waitFor();
          await scenarioOf(otherBrowser()).getByRole('link', { name: flaw }).waitFor();
        },
      },
      {
        spec: 'issue 11, Relating: Undo removes the relation in both browsers',
        async check(page) {
          await page.getByRole('button', { name: 'Undo' }).click();
          await health(page, 'Healthy').first().waitFor();
          await health(otherBrowser(), 'Healthy').first().waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: 'issue 11, Relating: threats are searched and related in a dialog',
        async check(page) {
          await relateThreat(page, 'Jamming');
          await scenarioOf(page).getByRole('link', { name: 'Jamming' }).waitFor();
          await scenarioOf(otherBrowser()).getByRole('link', { name: 'Jamming' }).waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: 'issue 11, Relating: a relation is removed from its row',
        async check(page) {
          await page.getByRole('button', { name: 'Remove relation to Jamming' }).click();
          await scenarioOf(page).getByText('No related threats.').waitFor();
          await scenarioOf(otherBrowser()).getByText('No related threats.').waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
  {
    where: 'the page of a vulnerability',
    async open(page, scenario) {
      await goTo(
        page,
        scenario,
        `/dashboard/vulnerabilities/${await scenario.idOf('vulnerabilities', flaw)}`,
      );
    },
    cases: [
      {
        spec: 'issue 11, Relating: suggested assets with their reason, from the side of the record',
        async check(page) {
          await page.getByRole('region', { name: 'Suggested assets' }).getByText(radar).first().waitFor();
          await page.getByRole('button', { name: `Relate ${radar}` }).click();
          await page.getByRole('region', { name: 'Related assets' }).getByText(radar).waitFor();
          await scenarioOf(otherBrowser()).getByRole('link', { name: flaw }).waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
  {
    where: 'selected rows of /dashboard/assets',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/assets'),
    cases: [
      {
        spec: 'issue 11, Relating: threats are related to all selected assets',
        async check(page) {
          for (const name of [radar, 'Gate kiosk'])
            await page.getByRole('checkbox', { name: `Select ${name}` }).click();
          await page.getByRole('button', { name: 'Relate…' }).click();
          await page.getByRole('menuitem', { name: 'Relate threats' }).click();
          const dialog = page.getByRole('dialog', { name: 'Relate threats' });
          await dialog.getByText('They will be related to all of the 2 selected assets.').waitFor();
          await relateOnly(dialog, 'Jamming');
          await toast(page, 'Assets updated').waitFor();
          await scenarioOf(otherBrowser()).getByRole('link', { name: 'Jamming' }).waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
];
