import type { Page } from 'playwright-core';
import { bundle, threat, vulnerability } from '@riskboard/worker/testing/stix2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AxeRules, seriousViolations } from '../../support/axe.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { watchNetwork } from '../../support/network-idle.ts';
import { openRoute } from '../../support/open-route.ts';
import { scoreWith } from './cases/cwss/explanation.ts';
import { flaws } from './harbour-reports.ts';
import { rowsOf } from './locators.ts';
import { password, type Scenario, startScenario } from './scenario.ts';
import { until } from './wait-until.ts';
import { repeatUnavailableInBrowser } from '../../support/repeat-unavailable.ts';

const wide = { width: 1280, height: 900 } as const;
const narrow = { width: 390, height: 844 } as const;

/** A page to check: its route, what marks it as loaded, and the dialogs and menus to open on it. */
interface Scene {
  name: string;
  route: (scenario: Scenario) => string;
  ready: (page: Page) => Promise<unknown>;
  /** Dialogs, menus and panels; each is checked by itself. */
  opened?: readonly { name: string; open: (page: Page) => Promise<unknown>; part: string }[];
}

/** A scene in one viewport. */
type Sized = Scene & { size: typeof wide | typeof narrow; width: number };

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const rows = (page: Page) => rowsOf(page).first().waitFor();
const batchLink = (page: Page) => page.getByRole('link', { name: 'Night shift' }).first().waitFor();
const dialog = '[role=dialog]';
const title = (text: string) => (page: Page) => page.getByTitle(text).first().click();
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** The picker of projects. In its first frame, the button beside it is a combobox of the same name. */
const projectPicker = (page: Page) => page.getByRole('combobox', { name: 'Project' }).first();

/** A vulnerability with a CWSS score. */
let scoredId = '';
/** A batch with one file. */
let batchId = '';
/** One of the starter vignettes. */
let vignetteId = '';

const scores: readonly Scene[] = [
  {
    name: 'the CWSS part of a vulnerability',
    route: () => `/dashboard/vulnerabilities/${scoredId}`,
    ready: (page) => page.getByRole('table', { name: 'CWSS factors' }).waitFor(),
    opened: [
      {
        name: 'the editor of its factors',
        // Without a change, so that Escape closes it at once.
        open: button('Set Business Impact'),
        part: dialog,
      },
      {
        name: 'another vignette beside its own',
        async open(page) {
          await page.getByRole('combobox', { name: 'Vignette' }).click();
          await page.getByRole('option', { name: 'SCADA' }).click();
          await page.getByRole('table', { name: 'Two vignettes side by side' }).waitFor();
        },
        part: 'main',
      },
    ],
  },
  {
    name: 'a vignette',
    route: () => `/dashboard/reports/vignettes/${vignetteId}`,
    ready: (page) => page.getByRole('grid', { name: 'Scorecard' }).waitFor(),
  },
  {
    name: 'the editor of a vignette with its preview',
    route: () => `/dashboard/reports/vignettes/${vignetteId}/edit`,
    ready: (page) => page.getByText('Mean score').waitFor(),
  },
];

const overview: readonly Scene[] = [
  {
    name: 'the explanation of a number of the overview',
    route: () => '/dashboard/overview?explain=overallRisk',
    ready: (page) => page.getByRole('table', { name: 'Inputs' }).waitFor(),
  },
  {
    name: 'causes, actions and history of the overview',
    route: () => '/dashboard/overview?since=yesterday',
    ready: (page) =>
      Promise.all([
        page.getByRole('list', { name: 'Causes' }).waitFor(),
        page.getByRole('list', { name: 'Actions' }).waitFor(),
        page.getByRole('table', { name: 'Two dates side by side' }).waitFor(),
      ]),
    opened: [
      {
        name: 'the causes as a table',
        async open(page) {
          await page
            .getByRole('region', { name: 'Why did the number move' })
            .getByRole('radio', { name: 'Table' })
            .click();
          // Scrolled to the card, a link above it is half under the top bar, which axe reports as a small target.
          await page.evaluate(() => window.scrollTo(0, 0));
        },
        part: 'main',
      },
    ],
  },
  {
    name: 'the risk report',
    route: () => '/dashboard/report',
    ready: (page) => page.getByRole('radio', { name: 'Every week' }).waitFor(),
  },
  {
    name: 'the printable risk report',
    route: () => '/api/overview/report',
    ready: (page) => page.getByRole('heading', { name: 'Sources' }).waitFor(),
  },
];

const projects: readonly Scene[] = [
  {
    name: 'the overview',
    route: () => '/dashboard/overview',
    async ready(page) {
      await page.getByRole('region', { name: 'Metrics' }).getByRole('link').first().waitFor();
      await page.locator('.apexcharts-radialbar-slice-0').waitFor();
    },
    opened: [
      {
        name: 'the explanation of a number',
        open: button(/explain Overall Risk Score/u),
        part: dialog,
      },
    ],
  },
  {
    name: 'the project dashboard',
    route: () => '/dashboard',
    ready: (page) => page.getByRole('article').first().waitFor(),
    opened: [
      { name: 'the menu of a card', open: button('Actions for Harbour renewal'), part: '[role=menu]' },
    ],
  },
  {
    name: 'the dashboard without a match',
    route: () => '/dashboard?search=nothing-of-this-name',
    ready: (page) => page.getByText('No projects found.').waitFor(),
  },
  {
    name: 'a project',
    route: ({ seed }) => `/dashboard/projects/${seed.project}`,
    ready: (page) => page.getByRole('region', { name: 'Threats by risk' }).waitFor(),
    opened: [
      { name: 'its status', open: title('Change status'), part: '[role=menu]' },
      {
        name: 'the confirmation of its deletion',
        open: button('Delete'),
        part: '[role=alertdialog]',
      },
    ],
  },
  { name: 'a new project', route: () => '/dashboard/projects/new', ready: heading },
  {
    name: 'the form of a project',
    route: ({ seed }) => `/dashboard/projects/${seed.project}/edit`,
    ready: heading,
  },
];

const lists: readonly Scene[] = [
  {
    name: 'vulnerabilities',
    route: () => '/dashboard/vulnerabilities?severity=critical',
    ready: rows,
    opened: [
      { name: 'a filter', open: button('Filter Severity, set'), part: dialog },
      { name: 'the columns', open: button('Columns'), part: dialog },
      { name: 'the status of a row', open: title('Change status'), part: '[role=menu]' },
      { name: 'the severity of a row', open: title('Change severity'), part: dialog },
      {
        name: 'a row’s pane',
        open: (page) =>
          rowsOf(page)
            .first()
            .click({ position: { x: 4, y: 4 } }),
        part: '[data-side-pane]',
      },
    ],
  },
  {
    name: 'a vulnerability beside its list, or as a sheet',
    route: ({ seed }) => `/dashboard/vulnerabilities?peek=${seed.vulnerabilities.nine}`,
    ready: (page) => page.getByRole('link', { name: 'Open full page' }).waitFor(),
  },
  {
    name: 'vulnerability data',
    route: () => '/dashboard/reports/vulnerabilities?cvssScoreMin=7&sort=-cvssScore',
    ready: rows,
    opened: [
      { name: 'the CWE panel', open: button(`CWE-787 of ${flaws.v2}`), part: 'dialog' },
      { name: 'a row’s menu', open: button(`Actions for ${flaws.v2}`), part: '[role=menu]' },
      {
        name: 'the dialog Calculate CWSS',
        async open(page) {
          await button(`Actions for ${flaws.v2}`)(page);
          await page.getByRole('menuitem', { name: 'Calculate CWSS' }).click();
          await page.getByRole('radio').first().waitFor();
        },
        part: dialog,
      },
      {
        name: 'the bulk edit',
        async open(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await button(/^Edit Selected/u)(page);
        },
        part: dialog,
      },
      {
        name: 'the confirmation of a deletion',
        open: button(/^Delete Selected/u),
        part: '[role=alertdialog]',
      },
    ],
  },
  { name: 'threats', route: () => '/dashboard/threats?risk=high', ready: rows },
  {
    name: 'assets',
    route: () => '/dashboard/assets?criticalityMin=1',
    ready: rows,
    opened: [
      { name: 'the criticality of a row', open: title('Change criticality'), part: '[role=menu]' },
      {
        name: 'the bulk edit',
        async open(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await button(/^Edit Selected/u)(page);
          await projectPicker(page).waitFor();
        },
        part: dialog,
      },
    ],
  },
  {
    name: 'an asset beside its list, or as a sheet',
    route: ({ seed }) => `/dashboard/assets?peek=${seed.assets.crane}`,
    ready: (page) => page.getByRole('link', { name: 'Open full page' }).waitFor(),
  },
  { name: 'threat data', route: () => '/dashboard/reports/threats', ready: rows },
  { name: 'files', route: () => '/dashboard/reports', ready: rows },
  { name: 'batches', route: () => '/dashboard/batches', ready: batchLink },
  { name: 'a batch', route: () => `/dashboard/batches/${batchId}`, ready: rows },
  {
    name: 'vignettes',
    route: () => '/dashboard/reports/vignettes',
    ready: rows,
    opened: [{ name: 'the upload of a vignette', open: button('Upload Vignette'), part: dialog }],
  },
  {
    name: 'the editor of a vignette',
    route: () => '/dashboard/reports/vignettes/new',
    ready: (page) => page.getByRole('grid', { name: 'Scorecard' }).waitFor(),
  },
  { name: 'the import of assets', route: () => '/dashboard/assets/import', ready: heading },
];

/** Its delivery log has a failed test. */
let webhookId = '';
const webhook = (page: Page) => page.getByRole('link', { name: 'Harbour chat' }).waitFor();
const delivery = (page: Page) =>
  page.getByRole('table', { name: 'Deliveries' }).getByRole('button', { name: 'Test message', exact: true });

const alertScenes: readonly Scene[] = [
  {
    name: 'the inbox of alerts',
    route: () => '/dashboard/alerts',
    ready: rows,
    opened: [{ name: 'the panel of the newest alerts', open: button(/^Alerts: \d+ unread$/u), part: dialog }],
  },
  {
    name: 'the alert rules',
    route: () => '/dashboard/settings/alerts',
    ready: (page) => page.getByRole('switch').first().waitFor(),
    opened: [{ name: 'the form of a rule', open: button('New rule'), part: dialog }],
  },
  { name: 'the webhooks', route: () => '/dashboard/settings/webhooks', ready: webhook },
  {
    name: 'a webhook with its delivery log',
    route: () => `/dashboard/settings/webhooks/${webhookId}`,
    ready: (page) => delivery(page).waitFor(),
    opened: [
      { name: 'a delivery', open: (page) => delivery(page).click(), part: dialog },
      { name: 'the rotation of its secret', open: button('Rotate secret'), part: dialog },
    ],
  },
];

const pages: readonly Scene[] = [
  {
    name: 'a vulnerability',
    route: ({ seed }) => `/dashboard/vulnerabilities/${seed.vulnerabilities.nine}`,
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
  { name: 'the CWSS calculator', route: () => '/dashboard/cwss', ready: heading },
  { name: 'the weaknesses', route: () => '/dashboard/weaknesses', ready: rows },
  {
    name: 'a weakness',
    route: () => '/dashboard/weaknesses/787',
    ready: (page) => page.getByRole('table', { name: 'Scopes and impacts' }).waitFor(),
  },

  { name: 'a threat', route: ({ seed }) => `/dashboard/threats/${seed.threats.above}`, ready: heading },
  { name: 'a new vulnerability', route: () => '/dashboard/vulnerabilities/new', ready: heading },
  {
    name: 'a vulnerability’s form',
    route: ({ seed }) => `/dashboard/vulnerabilities/${seed.vulnerabilities.nine}/edit`,
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
  {
    name: 'an asset',
    route: ({ seed }) => `/dashboard/assets/${seed.assets.crane}`,
    ready: (page) => page.getByRole('region', { name: 'Threat scenario' }).waitFor(),
    opened: [
      { name: 'the explanation of its score', open: button(/explain the risk score/u), part: dialog },
      { name: 'the dialog that relates threats', open: button('Relate threats'), part: dialog },
    ],
  },
  {
    name: 'an asset’s form',
    route: ({ seed }) => `/dashboard/assets/${seed.assets.crane}/edit`,
    ready: (page) => projectPicker(page).waitFor(),
    opened: [
      {
        name: 'the picker of projects',
        open: (page) => projectPicker(page).click(),
        part: '[role=listbox]',
      },
    ],
  },
];

/** A single Escape must close it, wherever the focus is. */
async function close(page: Page, part: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator(part).first().waitFor({ state: 'detached' });
}

interface Check {
  page: Page;
  /** Waits until the page is complete. */
  complete: () => Promise<void>;
  rules: AxeRules;
  scenario: Scenario;
}

async function checkScene(
  { route, ready, opened = [], size }: Sized,
  { page, complete, rules, scenario }: Check,
) {
  await page.setViewportSize(size);
  await openRoute(page, scenario.origin, route(scenario));
  await ready(page);
  await complete();
  const found = await seriousViolations(page, rules);
  for (const { open, part, name } of opened) {
    await open(page);
    await page.locator(part).first().waitFor();
    found.push(...(await seriousViolations(page, rules, part)).map((one) => `${name}: ${one}`));
    if (part !== 'main') await close(page, part);
  }
  return found;
}

/** @returns the id of a finished batch with one file that has issues. */
async function createBatch({ api, origin, pages: { ada } }: Scenario): Promise<string> {
  const { _id: id } = await api('POST', '/api/batches', { name: 'Night shift' });
  const buffer = Buffer.from(bundle([{ ...vulnerability(), id: 'not an identifier' }, threat()]));
  const reply = await repeatUnavailableInBrowser(() =>
    ada.context().request.post(`${origin}/api/reports/upload?batch=${String(id)}`, {
      headers: { origin },
      multipart: { stixFile: { name: 'night.json', mimeType: 'application/json', buffer } },
    }),
  );
  expect(reply.status()).toBe(201);
  await api('POST', `/api/batches/${String(id)}/close`, {});
  await until(
    'the end of the batch',
    async () => (await api('GET', `/api/batches/${String(id)}`))['status'] === 'finished',
  );
  return String(id);
}

/** Creates a rule and what it watches, and waits for the alert. */
async function createAlert({ api }: Scenario): Promise<void> {
  await api('POST', '/api/alerts/rules', { kind: 'critical-vulnerability', name: 'Critical ones' });
  await api('POST', '/api/vulnerabilities', {
    name: 'Crane control without a password',
    description: 'The control of the crane accepts every connection.',
    severity: 9.8,
  });
  await until('an alert', async () => (await api('GET', '/api/alerts'))['total'] === 1);
}

/** Creates a webhook whose first delivery fails: its address is refused or unknown. */
async function createWebhook({ api }: Scenario): Promise<void> {
  const url = 'https://hooks.example.invalid/riskboard';
  webhookId = String((await api('POST', '/api/alerts/webhooks', { name: 'Harbour chat', url }))['_id']);
  await api('POST', `/api/alerts/webhooks/${webhookId}/test`, {});
  const failed = `/api/alerts/deliveries?webhookId=${webhookId}&state=failed`;
  await until('a failed delivery', async () => {
    const { deliveries } = await api('GET', failed);
    return (deliveries as unknown[]).length === 1;
  });
}

/** Only owners see webhooks, and both users visit every page. */
async function makeOwner({ api }: Scenario, email: string): Promise<void> {
  const { members } = await api('GET', '/api/organization/members');
  const member = (members as { _id: string; email: string }[]).find((one) => one.email === email);
  await api('PUT', `/api/organization/members/${member?._id}`, { role: 'owner', password });
}

const chromium = chromiumPath();
const sized: readonly Sized[] = [
  ...[...lists, ...scores, ...overview, ...projects, ...alertScenes, ...pages].map((scene) => ({
    ...scene,
    size: wide,
    width: wide.width,
  })),
  ...[...lists, ...scores, ...overview, ...projects, ...alertScenes].map(({ name, route, ready }) => ({
    name,
    route,
    ready,
    size: narrow,
    width: narrow.width,
  })),
];

/** WCAG 2.2 AA by axe: no serious violation on the record pages and their dialogs, in both themes, wide and narrow. */
describe.skipIf(chromium === null)('accessibility of the record pages', () => {
  let scenario: Scenario;
  /** One user per theme: axe would measure a change of the theme in the middle of its transition. */
  let light: Check;
  let dark: Check;

  beforeAll(async () => {
    scenario = await startScenario(chromium ?? '');
    scoredId = await scoreWith(scenario, flaws.v2, 'Online banking');
    const applied = await scenario.api('GET', `/api/vulnerabilities/${scoredId}/cwss`);
    vignetteId = String(applied['vignetteId']);
    batchId = await createBatch(scenario);
    await createAlert(scenario);
    await createWebhook(scenario);
    await makeOwner(scenario, 'ben@harbour.example.org');
    const { ada, ben } = scenario.pages;
    await ben.emulateMedia({ colorScheme: 'dark' });
    light = { page: ada, complete: watchNetwork(ada), rules: 'all', scenario };
    dark = { page: ben, complete: watchNetwork(ben), rules: 'colors', scenario };
  });
  beforeEach(({ task, onTestFailed }) => onTestFailed(() => scenario.screenshots(task.id)));
  afterAll(() => scenario?.end());

  test.each(sized)('$name at $width', async (scene) => {
    const [inLight, inDark] = await Promise.all([checkScene(scene, light), checkScene(scene, dark)]);
    expect({ inLight, inDark }).toEqual({ inLight: [], inDark: [] });
  });
});
