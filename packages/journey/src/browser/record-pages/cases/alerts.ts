import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { dismissToasts, rowsOf, toast } from '../locators.ts';
import { craneCount, cranes } from '../harbour-reports.ts';
import { goTo, type PageCase } from '../page-cases.ts';
import type { Scenario } from '../scenario.ts';
import { repeatUnavailableInBrowser } from '../../../support/repeat-unavailable.ts';

const found = 'Crane control without a password';
/** Of the vulnerability that the rule finds; deleted by the last case. */
let foundId = '';
/** Of the imported report; deleted by the case that opens its alert. */
let craneFileId = '';
let api: Scenario['api'];

const unread = (page: Page): Locator => page.getByRole('button', { name: /^Alerts: \d+ unread$/u });
const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'Alerts' });

/** Adds a suggested rule, creates what it watches, and reads the alert that arrives. */
export const alertPages: readonly PageCase[] = [
  {
    where: '/dashboard/alerts and /dashboard/settings/alerts',
    async open(page, scenario) {
      api = scenario.api;
      await goTo(page, scenario, '/dashboard/alerts');
    },
    cases: [
      {
        spec: 'issue, Alerts: an empty inbox leads to the rules',
        async check(page) {
          await page.getByText('No alerts yet.').waitFor();
          await page.getByRole('link', { name: 'Set up rules' }).click();
          await page.getByRole('heading', { name: 'Alert rules' }).waitFor();
        },
      },
      {
        spec: 'issue, Alerts: a suggested rule is added with one click',
        async check(page) {
          await page.getByRole('button', { name: 'Add New critical vulnerabilities' }).click();
          await page.getByRole('switch', { name: 'Enable New critical vulnerabilities' }).waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: 'issue, Alerts: a new critical vulnerability arrives in the inbox without a reload',
        async check(page) {
          const { _id } = await api('POST', '/api/vulnerabilities', {
            name: found,
            description: 'The control of the crane accepts every connection.',
            severity: 9.8,
          });
          foundId = String(_id);
          await unread(page).waitFor();
        },
      },
      {
        spec: 'issue, Alerts: an alert names its severity and opens its rows',
        async check(page) {
          await unread(page).click();
          await panel(page).getByText('Critical', { exact: true }).waitFor();
          await panel(page).getByRole('link', { name: found }).click();
          await page.getByRole('heading', { level: 1, name: found }).waitFor();
          expect(new URL(page.url()).pathname).toBe(`/dashboard/vulnerabilities/${foundId}`);
        },
      },
      {
        spec: 'issue, Alerts: an opened alert is read',
        check: (page) => page.getByRole('button', { name: 'Alerts', exact: true }),
      },
      {
        spec: 'issue, Alerts: the inbox is filtered by read state',
        async check(page) {
          await page.goto(`${new URL(page.url()).origin}/dashboard/alerts?read=true`);
          await expect.poll(() => rowsOf(page).count()).toBe(1);
          await page.goto(`${new URL(page.url()).origin}/dashboard/alerts?read=false`);
          await page.getByText('No alerts found.').waitFor();
        },
      },
      {
        spec: 'issue, Alerts: an import of many critical vulnerabilities is one alert, which arrives without a reload',
        async check(page) {
          await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
          const { origin } = new URL(page.url());
          const reply = await repeatUnavailableInBrowser(() =>
            page.request.post(`${origin}/api/reports/upload?extract=vulnerabilities`, {
              headers: { origin },
              multipart: { stixFile: cranes },
            }),
          );
          craneFileId = String(((await reply.json()) as { _id?: unknown })._id);
          await page.getByRole('button', { name: 'Alerts: 1 unread', exact: true }).waitFor();
          expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
        },
      },
      {
        spec: 'issue, Alerts: the number of an alert is the number of rows that its link opens',
        async check(page) {
          await unread(page).click();
          await panel(page)
            .getByRole('link', { name: `${craneCount} new critical vulnerabilities` })
            .click();
          const filters = page.getByRole('region', { name: 'Active filters' });
          await filters.getByText('Reported by one alert').waitFor();
          await filters.getByText(new RegExp(`^${craneCount} of `, 'u')).waitFor();
          await api('DELETE', `/api/reports/files/${craneFileId}`);
        },
      },
      {
        spec: 'issue, Alerts: a deleted rule returns with Undo, and its alerts stay',
        async check(page) {
          await page.goto(`${new URL(page.url()).origin}/dashboard/settings/alerts`);
          await page.getByRole('button', { name: 'Delete New critical vulnerabilities' }).click();
          await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
          await toast(page, 'New critical vulnerabilities deleted')
            .getByRole('button', { name: 'Undo' })
            .click();
          await page.getByRole('switch', { name: 'Enable New critical vulnerabilities' }).waitFor();
          await api('DELETE', `/api/vulnerabilities/${foundId}`);
        },
      },
    ],
  },
  {
    where: '/dashboard/settings/webhooks',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/settings/webhooks'),
    failures: [{ status: 422, url: /\/api\/alerts\/webhooks$/u }],
    cases: [
      {
        spec: 'issue, Alerts: an address without https is refused with the reason',
        async check(page) {
          await page.getByRole('button', { name: 'New webhook' }).click();
          await page.getByLabel('Name').fill('Harbour chat');
          await page.getByLabel('Address').fill('http://example.org/hook');
          await page.getByRole('button', { name: 'Create webhook' }).click();
          await page.getByText('The address must start with https://.').waitFor();
        },
      },
      {
        spec: 'issue, Alerts: private addresses are refused with the reason',
        async check(page) {
          await page.getByLabel('Address').fill('https://192.168.0.1/hook');
          await page.getByRole('button', { name: 'Create webhook' }).click();
          await page.getByText('Addresses of private networks are not allowed here.').waitFor();
        },
      },
      {
        spec: 'issue, Alerts: the secret of a webhook is shown once',
        async check(page) {
          await page.getByLabel('Address').fill('https://hooks.example.org/riskboard');
          await page.getByRole('button', { name: 'Create webhook' }).click();
          await page.getByText(/^whsec_/u).waitFor();
          await page.getByRole('button', { name: 'I have copied it' }).click();
          await page.getByRole('link', { name: 'Harbour chat' }).click();
          await page.getByRole('button', { name: 'Send test' }).waitFor();
          expect(await page.getByText(/whsec_/u).count()).toBe(0);
        },
      },
      {
        spec: 'issue, Alerts: a rotation of the secret explains the overlap',
        async check(page) {
          await page.getByRole('button', { name: 'Rotate secret' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
          await page.getByText(/also signed with a previous secret until/u).waitFor();
          await page.getByRole('button', { name: 'I have copied it' }).click();
          await page.getByText(/a former secret also signs until/u).waitFor();
        },
      },
      {
        spec: 'issue, Alerts: a disabled webhook shows the reason',
        async check(page) {
          await page.getByRole('button', { name: 'Disable' }).click();
          await page.getByText(/An owner disabled it/u).waitFor();
          expect(await page.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true);
        },
      },
      {
        spec: 'issue, Alerts: a webhook is deleted after a confirmation',
        async check(page) {
          await page.getByRole('button', { name: 'Delete' }).click();
          await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
          await page.getByText('No webhooks yet.').waitFor();
        },
      },
    ],
  },
];

/** Viewers read alerts and rules; webhooks are for owners. */
export const alertPagesViewer: readonly PageCase[] = [
  {
    where: '/dashboard/settings/alerts as a viewer',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/settings/alerts'),
    cases: [
      {
        spec: 'issue, Alerts: viewers see the rules and cannot change them',
        async check(page) {
          const control = page.getByRole('switch', { name: 'Enable New critical vulnerabilities' });
          await control.waitFor();
          expect(await control.getAttribute('aria-disabled')).toBe('true');
          expect(await page.getByRole('button', { name: 'New rule' }).isDisabled()).toBe(true);
        },
      },
      {
        spec: 'issue, Alerts: only owners manage webhooks',
        async check(page) {
          await page
            .getByRole('navigation', { name: 'Settings' })
            .getByRole('link', { name: 'Webhooks' })
            .click();
          await page.getByText('Only owners can manage webhooks').waitFor();
        },
      },
    ],
  },
];
