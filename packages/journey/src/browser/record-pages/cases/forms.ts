import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { dismissToasts, toast } from '../locators.ts';
import { abortCalls, goTo, type SpecCase, type PageCase } from '../page-cases.ts';

const field = (page: Page, name: string): Locator => page.getByRole('form').getByLabel(name, { exact: true });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Checks a limit: the typed value, and the message after the field loses the focus. */
function limit(spec: string, { name, typed, said }: { name: string; typed: string; said: string }): SpecCase {
  return {
    spec,
    async check(page) {
      const input = page
        .getByRole('form')
        .getByRole(name === 'CVE' ? 'textbox' : 'spinbutton', { name, exact: true });
      const before = await input.inputValue();
      await input.fill(typed);
      await input.blur();
      await page.getByRole('form').getByText(said, { exact: true }).waitFor();
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      await input.fill(before);
    },
  };
}

const disabled = (spec: string, name: string, why: string): SpecCase => ({
  spec,
  async check(page) {
    await page.getByText(why).waitFor();
    expect(await button(page, name).isDisabled()).toBe(true);
  },
});

const enabled = (spec: string, name: string, before: (page: Page) => Promise<unknown>): SpecCase => ({
  spec,
  async check(page) {
    await before(page);
    await expect.poll(() => button(page, name).isEnabled()).toBe(true);
  },
});

/** Presses the button. @returns the body that the page sends */
async function sent(page: Page, method: string, name: string): Promise<Record<string, unknown>> {
  const request = page.waitForRequest((one) => one.method() === method && one.url().includes('/api/'));
  await button(page, name).click();
  return (await request).postDataJSON() as Record<string, unknown>;
}

const leaving: SpecCase = {
  spec: 'issue, Editing: unsaved-changes guard',
  async check(page) {
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/\/(?:new|edit)$/u);
  },
};

export const forms: readonly PageCase[] = [
  {
    where: '/dashboard/vulnerabilities/new',
    failures: [{ status: 'none', url: /^\/api\/vulnerabilities$/u }],
    open: (page, scenario) => goTo(page, scenario, '/dashboard/vulnerabilities/new'),
    cases: [
      {
        spec: "2, Vulnerability form: 'Create New Vulnerability'",
        check: (page) => page.getByRole('heading', { name: 'Create New Vulnerability', level: 1 }),
      },
      { spec: '2, Vulnerability form: Cancel', check: (page) => button(page, 'Cancel') },
      { spec: '2, the pattern of Back', check: (page) => button(page, 'Back to Vulnerabilities') },
      disabled(
        '4, Submit buttons: on create enabled when required fields are filled',
        'Create',
        'Required: Name, Description, and Severity.',
      ),
      limit('5, Severity 1-10: not below', { name: 'Severity', typed: '0.9', said: 'Must be 1 or more.' }),
      limit('5, Severity 1-10: not above', { name: 'Severity', typed: '10.1', said: 'Must be 10 or less.' }),
      limit('5, CVSS 0-10', { name: 'CVSS score', typed: '10.1', said: 'Must be 10 or less.' }),
      limit('5, CVSS step 0.1', { name: 'CVSS score', typed: '7.55', said: 'Use steps of 0.1.' }),
      limit('5, exploitability 1-10', { name: 'Exploitability', typed: '0', said: 'Must be 1 or more.' }),
      limit('3, impact (0-10)', { name: 'Impact', typed: '11', said: 'Must be 10 or less.' }),
      limit('3, cveId', { name: 'CVE', typed: 'CVE-1', said: 'Enter an id such as CVE-2024-12345.' }),
      {
        spec: '3, Vulnerability categories',
        async check(page) {
          await field(page, 'Category').click();
          await expect
            .poll(() => page.getByRole('option').allTextContents())
            .toEqual([
              'Not set',
              'Input Validation',
              'Authentication',
              'Authorization',
              'Configuration',
              'Cryptography',
              'Business Logic',
            ]);
          await page.getByRole('option', { name: 'Cryptography' }).click();
        },
      },
      {
        spec: '4, Vulnerability status: open (default), mitigated, fixed, accepted',
        async check(page) {
          expect(await field(page, 'Status').textContent()).toContain('Open');
          await field(page, 'Status').click();
          await expect
            .poll(() => page.getByRole('option').allTextContents())
            .toEqual(['Open', 'Mitigated', 'Fixed', 'Accepted']);
          await page.keyboard.press('Escape');
        },
      },
      enabled('4, Submit buttons: enabled', 'Create', async (page) => {
        await field(page, 'Name').fill('Ferry ramp without a fence');
        await field(page, 'Description').fill('Seen from the ferry.');
        await field(page, 'Severity').fill('6.5');
      }),
      {
        spec: 'issue, relating works: assets by name',
        async check(page) {
          await page.getByRole('combobox', { name: 'Related assets' }).fill('kiosk');
          await page.getByRole('option', { name: 'Gate kiosk' }).click();
          await page.getByRole('button', { name: 'Remove Gate kiosk' }).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      leaving,
      {
        spec: "8, 'Failed to create vulnerability. Please try again.'",
        async check(page) {
          const through = await abortCalls(page, /\/api\/vulnerabilities$/u, 'POST');
          await button(page, 'Create').click();
          await toast(page, 'Failed to create vulnerability. Please try again.').waitFor();
          expect(await field(page, 'Name').inputValue()).toBe('Ferry ramp without a fence');
          await through();
        },
      },
      {
        spec: '5, number fields are sent as numbers, or as an empty string when blank',
        async check(page) {
          const body = await sent(page, 'POST', 'Create');
          expect(body).toMatchObject({
            severity: 6.5,
            categoryId: 5,
            impact: '',
            cvssScore: '',
            solution: '',
          });
        },
      },
      {
        spec: "8, Success toasts: 'Vulnerability created'",
        check: (page) => toast(page, 'Vulnerability created'),
      },
      {
        spec: '4, Optimistic changes: the list shows it',
        check: (page) => page.getByRole('row', { name: /Ferry ramp without a fence/u }),
      },
      {
        spec: '2, and its page',
        async check(page) {
          await page.getByRole('button', { name: 'View', exact: true }).click();
          await page.getByRole('heading', { name: 'Ferry ramp without a fence', level: 1 }).waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/vulnerabilities/{id}/edit',
    failures: [{ status: 'none', url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u }],
    async open(page) {
      await dismissToasts(page);
      await page.getByRole('link', { name: 'Edit', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Edit Vulnerability' }).waitFor();
    },
    cases: [
      {
        spec: "2, Vulnerability form: 'Edit Vulnerability'",
        check: (page) => page.getByRole('heading', { name: 'Edit Vulnerability' }),
      },
      { spec: '2, the pattern of Back', check: (page) => button(page, 'Back to Vulnerability Details') },
      disabled('4, on edit enabled only when something changed', 'Update', 'Nothing has changed yet.'),
      {
        spec: '4, on edit enabled only when the form is valid',
        async check(page) {
          await field(page, 'Severity').fill('12');
          await page.getByText('Correct the marked fields first.').waitFor();
          expect(await button(page, 'Update').isDisabled()).toBe(true);
        },
      },
      enabled('4, on edit enabled', 'Update', (page) => field(page, 'Severity').fill('8')),
      {
        spec: 'issue, CVSS: entered, checked strictly',
        async check(page) {
          await field(page, 'CVSS vector').fill('CVSS:3.1/AV:N/AV:N');
          await page.getByText('No score: the vector is invalid.').waitFor();
          expect(await button(page, 'Update').isDisabled()).toBe(true);
        },
      },
      {
        spec: 'issue, CVSS: with an editor, scored by the library',
        async check(page) {
          await field(page, 'CVSS vector').fill(
            'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
          );
          await page.getByRole('form').getByText('9.3').first().waitFor();
        },
      },
      leaving,
      {
        spec: "8, 'Failed to update vulnerability. Please try again.'",
        async check(page) {
          const through = await abortCalls(page, /\/api\/vulnerabilities\//u, 'PUT');
          await button(page, 'Update').click();
          await toast(page, 'Failed to update vulnerability. Please try again.').waitFor();
          await through();
        },
      },
      {
        spec: '7, PUT: JSON of the changed fields',
        async check(page) {
          const body = await sent(page, 'PUT', 'Update');
          expect(Object.keys(body).toSorted()).toEqual(['cvssVector', 'severity']);
        },
      },
      {
        spec: "8, Success toasts: 'Vulnerability updated'",
        check: (page) => toast(page, 'Vulnerability updated'),
      },
      {
        spec: 'contract, CVSS: a vector always wins over a bare score',
        check: (page) => page.getByText('9.3 Critical'),
      },
    ],
  },
  {
    where: '/dashboard/threats/new',
    failures: [{ status: 'none', url: /^\/api\/threats$/u }],
    open: (page, scenario) => goTo(page, scenario, '/dashboard/threats/new'),
    cases: [
      {
        spec: '2, threat form: Create',
        check: (page) => page.getByRole('heading', { name: 'Create New Threat', level: 1 }),
      },
      { spec: '2, threat form: Back', check: (page) => button(page, 'Back to Threats') },
      { spec: '2, threat form: Cancel', check: (page) => button(page, 'Cancel') },
      disabled('5, Threat: name, description required', 'Create', 'Required: Name and Description.'),
      limit('5, riskLevel 0-100: not above', {
        name: 'Risk level',
        typed: '101',
        said: 'Must be 100 or less.',
      }),
      limit('5, riskLevel 0-100: not below', { name: 'Risk level', typed: '-1', said: 'Must be 0 or more.' }),
      {
        spec: '3, Threat types',
        async check(page) {
          await field(page, 'Type').click();
          await expect
            .poll(() => page.getByRole('option').allTextContents())
            .toEqual([
              'Not set',
              'Malware',
              'Phishing',
              'DDoS',
              'Insider Threat',
              'Data Breach',
              'Social Engineering',
            ]);
          await page.getByRole('option', { name: 'DDoS' }).click();
        },
      },
      {
        spec: '3, the 1-5 scale Very Low to Very High',
        async check(page) {
          await field(page, 'Likelihood').click();
          await expect
            .poll(() => page.getByRole('option').allTextContents())
            .toEqual(['Not set', 'Very Low', 'Low', 'Medium', 'High', 'Very High']);
          await page.keyboard.press('Escape');
          await page.getByRole('option').first().waitFor({ state: 'detached' });
        },
      },
      {
        spec: '3, the 1-3 scale Low/Medium/High',
        async check(page) {
          const steps = page.getByRole('radiogroup', { name: 'Motivation' }).getByRole('radio');
          expect(await steps.allTextContents()).toEqual(['Not set', 'Low', 'Medium', 'High']);
        },
      },
      {
        spec: '3, displayed as Compensating Controls',
        check: (page) => field(page, 'Compensating Controls'),
      },
      enabled('4, Submit buttons: enabled', 'Create', async (page) => {
        await field(page, 'Name').fill('Storm surge');
        await field(page, 'Description').fill('Once in ten years.');
        await field(page, 'Risk level').fill('72');
      }),
      {
        spec: "8, 'Error: Failed to create threat. Please try again.'",
        async check(page) {
          const through = await abortCalls(page, /\/api\/threats$/u, 'POST');
          await button(page, 'Create').click();
          await toast(page, 'Error: Failed to create threat. Please try again.').waitFor();
          await through();
        },
      },
      {
        spec: '5, number fields are sent as numbers, or as an empty string when blank',
        async check(page) {
          expect(await sent(page, 'POST', 'Create')).toMatchObject({
            riskLevel: 72,
            threatTypeId: 3,
            impact: '',
            source: '',
          });
        },
      },
      { spec: "8, Success toasts: 'Threat created'", check: (page) => toast(page, 'Threat created') },
    ],
  },
  {
    where: '/dashboard/threats/{id}/edit',
    failures: [{ status: 'none', url: /^\/api\/threats\/[\da-f-]{36}$/u }],
    async open(page) {
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await page.getByRole('heading', { name: 'Storm surge', level: 1 }).waitFor();
      await dismissToasts(page);
      await page.getByRole('link', { name: 'Edit', exact: true }).first().click();
    },
    cases: [
      {
        spec: '2, threat form: edit',
        check: (page) => page.getByRole('heading', { name: 'Edit Threat', level: 1 }),
      },
      { spec: '2, threat form: Back', check: (page) => button(page, 'Back to Threat Details') },
      disabled('4, on edit enabled only when something changed', 'Update', 'Nothing has changed yet.'),
      enabled('4, on edit enabled', 'Update', (page) =>
        field(page, 'Compensating Controls').fill('A higher wall.'),
      ),
      {
        spec: '8, same for update',
        async check(page) {
          const through = await abortCalls(page, /\/api\/threats\//u, 'PUT');
          await button(page, 'Update').click();
          await toast(page, 'Error: Failed to update threat. Please try again.').waitFor();
          await through();
        },
      },
      {
        spec: "8, Success toasts: 'Threat updated'",
        async check(page) {
          await button(page, 'Update').click();
          await toast(page, 'Threat updated').waitFor();
          await page.getByRole('heading', { name: 'Storm surge', level: 1 }).waitFor();
          await page.getByRole('main').getByText('A higher wall.').first().waitFor();
        },
      },
      {
        spec: "8, Success toasts: 'Threat deleted'",
        async check(page) {
          await dismissToasts(page);
          await button(page, 'Delete').click();
          await toast(page, 'Threat deleted').waitFor();
          await page.waitForURL('**/dashboard/threats');
          await expect.poll(() => page.getByRole('link', { name: 'Storm surge' }).count()).toBe(0);
        },
      },
      {
        spec: 'UX, destructive safety: Undo',
        async check(page) {
          await button(page, 'Undo').click();
          await toast(page, 'Threat restored').waitFor();
          await page.getByRole('link', { name: 'Storm surge' }).waitFor();
        },
      },
    ],
  },
];
