import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../support/chromium.ts';

/**
 * Takes the screenshots of docs/screens from a running product:
 *
 *     node packages/journey/src/screens/take-screens.ts --origin http://localhost:3000 --password <demo password> \
 *       --upload <report that takes some seconds> --out docs/screens [--only vulnerabilities]
 *
 * The product must have been started with an empty DATA_DIR, so that it holds the demo organization.
 */
const { values } = parseArgs({
  options: {
    origin: { type: 'string', default: 'http://localhost:3000' },
    email: { type: 'string', default: 'demo@riskboard.local' },
    password: { type: 'string', default: '' },
    /** Uploaded before the screens of files and jobs, so that they show a running job. */
    upload: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: 'docs/screens' },
    only: { type: 'string', default: '' },
  },
});

interface Screen {
  name: string;
  /** Path, or a function that finds it. */
  at: string | ((page: Page) => Promise<string>);
  /** Brings the page into the state to show. */
  before?: (page: Page) => Promise<void>;
}

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Address of the record with a name. */
const named = (noun: 'projects' | 'assets' | 'vulnerabilities', name: string) => async (page: Page) => {
  const list = await page.evaluate(
    async (path) => (await (await fetch(path)).json()) as Record<string, { _id: string; name: string }[]>,
    `/api/${noun}?search=${encodeURIComponent(name)}`,
  );
  return `/dashboard/${noun}/${list[noun]?.find((one) => one.name === name)?._id}`;
};
const sampleAsset = named('assets', 'Depot VPN gateway');
const dependedOn = named('assets', 'Control network');
const sampleProject = named('projects', 'Container terminal');

/** Address of the first record in a list. */
const firstOf = (list: string) => async (page: Page) => {
  await page.goto(values.origin + list);
  const link = page.getByRole('table').getByRole('link').first();
  return (await link.getAttribute('href'))?.replace(/\?.*/, '') ?? list;
};

const scored = named('vulnerabilities', 'Log4j lookup runs remote code (Log4Shell)');
const firstVignette = firstOf('/dashboard/reports/vignettes');

/** Shows a card at the top of the window. */
const scrollTo = (title: string) => async (page: Page) => {
  const card = page.getByRole('region', { name: title, exact: true });
  await card.waitFor();
  await card.evaluate((element) => {
    window.scrollTo({ top: element.getBoundingClientRect().top + window.scrollY - 72 });
  });
};

const firstVulnerability = firstOf('/dashboard/vulnerabilities');

const screens: readonly Screen[] = [
  { name: 'overview', at: '/dashboard/overview' },
  { name: 'overview-why', at: '/dashboard/overview', before: scrollTo('Why did the number move') },
  { name: 'overview-history', at: '/dashboard/overview', before: scrollTo('Overall risk score') },
  { name: 'overview-explained', at: '/dashboard/overview?explain=overallRisk' },
  { name: 'alerts', at: '/dashboard/alerts' },
  { name: 'alert-rules', at: '/dashboard/settings/alerts' },
  { name: 'webhooks', at: '/dashboard/settings/webhooks' },
  { name: 'report', at: '/dashboard/report' },
  { name: 'dashboard', at: '/dashboard' },
  { name: 'project', at: sampleProject },
  {
    name: 'project-map',
    at: sampleProject,
    before: (page) => page.getByRole('region', { name: 'Dependency map' }).scrollIntoViewIfNeeded(),
  },
  { name: 'project-edit', at: async (page) => `${await sampleProject(page)}/edit` },
  { name: 'assets', at: '/dashboard/assets' },
  { name: 'asset', at: sampleAsset },
  {
    name: 'asset-score',
    at: sampleAsset,
    before: (page) =>
      page
        .getByRole('button', { name: /explain the risk score/u })
        .first()
        .click(),
  },
  {
    name: 'blast-radius',
    at: dependedOn,
    before: (page) => page.getByRole('region', { name: 'Blast radius' }).scrollIntoViewIfNeeded(),
  },
  { name: 'asset-edit', at: async (page) => `${await sampleAsset(page)}/edit` },
  { name: 'csv-import', at: '/dashboard/assets/import' },
  { name: 'vulnerabilities', at: '/dashboard/vulnerabilities' },
  { name: 'vulnerability', at: firstVulnerability },
  {
    name: 'graph',
    at: firstVulnerability,
    before: (page) =>
      page.getByRole('region', { name: 'Asset Graphical Modelling' }).scrollIntoViewIfNeeded(),
  },
  { name: 'vulnerability-edit', at: async (page) => `${await firstVulnerability(page)}/edit` },
  {
    name: 'peek',
    at: '/dashboard/vulnerabilities',
    before: async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
    },
  },
  { name: 'cwss', at: scored, before: scrollTo('CWSS') },
  { name: 'cwss-factors', at: scored, before: scrollTo('Factors') },
  {
    name: 'cwss-dialog',
    at: scored,
    before: (page) => page.getByRole('button', { name: 'Calculate CWSS' }).first().click(),
  },
  { name: 'cwss-calculator', at: '/dashboard/cwss' },
  { name: 'vignettes', at: '/dashboard/reports/vignettes' },
  { name: 'vignette', at: firstVignette },
  {
    name: 'vignette-edit',
    at: async (page) => `${await firstVignette(page)}/edit`,
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Read data, Application', exact: true }).fill('9.5');
      await page.getByText('Mean score').waitFor();
    },
  },
  { name: 'weaknesses', at: '/dashboard/weaknesses' },
  { name: 'weakness', at: '/dashboard/weaknesses/787' },
  { name: 'threats', at: '/dashboard/threats' },
  { name: 'threat', at: firstOf('/dashboard/threats') },
  { name: 'threat-new', at: '/dashboard/threats/new' },
  { name: 'reports', at: '/dashboard/reports' },
  {
    name: 'import-report',
    at: firstOf('/dashboard/reports?sort=uploadDate'),
  },
  {
    name: 'upload',
    at: '/dashboard/reports',
    before: async (page) => {
      await page.getByRole('button', { name: 'Data Upload' }).click();
      await page.getByRole('menuitem', { name: 'Upload STIX/TAXII' }).click();
    },
  },
  {
    name: 'jobs-drawer',
    at: '/dashboard/reports',
    before: (page) => page.getByRole('button', { name: /^Background jobs/u }).click(),
  },
  { name: 'vulnerability-data', at: '/dashboard/reports/vulnerabilities' },
  {
    name: 'cwe-panel',
    at: '/dashboard/reports/vulnerabilities',
    before: (page) => page.getByRole('button', { name: /^CWE-/ }).first().click(),
  },
  { name: 'threat-data', at: '/dashboard/reports/threats' },
  { name: 'jobs', at: '/dashboard/jobs' },
  {
    name: 'palette',
    at: '/dashboard/vulnerabilities',
    before: async (page) => {
      await page.keyboard.press('Control+k');
      await dialogOf(page, /.*/).getByRole('combobox').fill('CVE-20');
    },
  },
  { name: 'activity', at: '/dashboard/activity' },
  { name: 'members', at: '/dashboard/settings/members' },
  { name: 'organization', at: '/dashboard/settings/organization' },
  { name: 'security', at: '/dashboard/settings/security' },
  { name: 'tokens', at: '/dashboard/settings/tokens' },
];

async function logIn(page: Page): Promise<void> {
  await page.goto(`${values.origin}/login`);
  await page.getByLabel('Email').fill(values.email);
  await page.getByLabel('Password', { exact: true }).fill(values.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/dashboard');
}

async function upload(page: Page, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const body = new FormData();
    body.append('stixFile', new Blob([await readFile(file)]), path.basename(file));
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { cookie: cookies, origin: values.origin };
    const answer = await fetch(`${values.origin}/api/reports/upload`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${file}: ${answer.status} ${await answer.text()}`);
  }
}

/** Waits until data is drawn and nothing is loading. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
  await page.waitForTimeout(700);
}

async function take(page: Page, { name, at, before }: Screen): Promise<void> {
  const address = typeof at === 'string' ? at : await at(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(values.origin + address);
    await settle(page);
    await before?.(page);
    await settle(page);
    await page.screenshot({ path: path.join(values.out, `${name}-${colorScheme}.png`) });
  }
  process.stdout.write(`${name}\n`);
}

async function takeAll(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${values.origin}/login`);
  await settle(page);
  await page.screenshot({ path: path.join(values.out, 'login-light.png') });
  await logIn(page);
  await upload(page, values.upload);
  for (const screen of screens.filter(({ name }) => values.only === '' || name === values.only))
    await take(page, screen);
}

const executable = chromiumPath();
if (executable === null) throw new Error('Chromium is not installed.');
await mkdir(values.out, { recursive: true });
const browser = await openBrowser(executable);
try {
  await takeAll(browser);
} finally {
  await browser.close();
}
