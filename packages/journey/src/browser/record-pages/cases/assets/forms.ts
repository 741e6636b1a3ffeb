import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { dismissToasts, rowOf, toast } from '../../locators.ts';
import { goTo, type PageCase, type SpecCase } from '../../page-cases.ts';

const crane = 'Crane controller';
const project = 'Harbour renewal';

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Opens a select of the form and reads its options. */
const options = (spec: string, name: string, expected: readonly string[]): SpecCase => ({
  spec,
  async check(page) {
    await page.getByRole('form').getByRole('combobox', { name, exact: true }).click();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([...expected]);
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
  },
});

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('form').getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const costs = [
  'Not set',
  'Minimal, under $10K',
  'Low, $10K-50K',
  'Medium, $50K-250K',
  'High, $250K-1M',
  'Very High, over $1M',
  'Exact amount',
];
const levels = ['Not set', 'Low', 'Medium', 'High', 'Critical'];

/** The form of an asset, and what its saved values look like. The asset that it creates is deleted again. */
export const assetForms: readonly PageCase[] = [
  {
    where: '/dashboard/assets/new',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/assets/new'),
    cases: [
      {
        spec: "2, Asset form: 'Create New Asset'",
        check: (page) => page.getByRole('heading', { name: 'Create New Asset', level: 1 }),
      },
      { spec: '2, Asset form: Cancel', check: (page) => button(page, 'Cancel') },
      { spec: '2, Asset form: Back', check: (page) => button(page, 'Back to Assets') },
      {
        spec: '5, Asset: name, description, projectId, assetTypeId required',
        async check(page) {
          // The only project is chosen.
          await page.getByText('Required: Name, Description, and Type.').waitFor();
          const project = page.getByRole('combobox', { name: 'Project' });
          expect(await project.inputValue()).not.toBe('');
          expect(await button(page, 'Create').isDisabled()).toBe(true);
        },
      },
      options('3, Asset types', 'Type', ['Hardware', 'Software', 'Network', 'Data', 'Personnel', 'Service']),
      options('3, Criticality', 'Criticality', ['Not set', 'Very Low', 'Low', 'Medium', 'High', 'Very High']),
      options('3, Confidentiality', 'Confidentiality', [
        'Not set',
        'Public',
        'Internal',
        'Confidential',
        'Restricted',
        'Top Secret',
      ]),
      options('3, Integrity', 'Integrity', levels),
      options('3, Availability', 'Availability', levels),
      options('3, Cost ranges: replacement', 'Replacement cost', costs),
      options('3, Cost ranges: recovery', 'Recovery cost', costs),
      {
        spec: '2, a relationships picker with a list capped at 12rem height',
        async check(page) {
          await page.getByRole('combobox', { name: 'Related assets' }).click();
          const list = page.getByRole('listbox');
          await list.getByRole('option', { name: crane }).waitFor();
          expect(await list.evaluate((element) => getComputedStyle(element).maxHeight)).toBe('192px');
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: "8, 'Asset created'; 5, an asset is submitted active and with its project",
        async check(page) {
          const form = page.getByRole('form');
          await form.getByLabel('Name', { exact: true }).fill('Tide gauge');
          await form.getByLabel('Description', { exact: true }).fill('Measures the water.');
          await choose(page, 'Type', 'Hardware');
          await page.getByRole('combobox', { name: 'Project' }).fill('harb');
          await page.getByRole('option', { name: project }).click();
          await choose(page, 'Replacement cost', 'Very High, over $1M');
          await choose(page, 'Recovery cost', 'Exact amount');
          await form.getByLabel('Recovery cost, exact amount').fill('31500');
          const request = page.waitForRequest((one) => one.method() === 'POST');
          await button(page, 'Create').click();
          const sent = await request;
          expect(sent.url()).toMatch(/\/api\/assets\?projectId=[\w-]{36}$/u);
          expect(sent.postDataJSON()).toMatchObject({
            isActive: true,
            projectId: new URL(sent.url()).searchParams.get('projectId'),
            replacementCost: 2_000_000,
            recoveryCost: 31_500,
          });
          await toast(page, 'Asset created').waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: '9, Cost display: M with one decimal, K',
        async check(page) {
          await rowOf(page, 'Tide gauge').getByRole('link', { name: 'Tide gauge' }).click();
          await region(page, 'Business impact').getByText('$2.0M', { exact: true }).first().waitFor();
          await region(page, 'Business impact').getByText('$31.5K', { exact: true }).waitFor();
          await region(page, 'Criticality')
            .getByText(/^Not set\./u)
            .waitFor();
        },
      },
      {
        spec: "8, 'Asset updated'; an exact amount stays as it is",
        async check(page) {
          await page.getByRole('link', { name: 'Edit', exact: true }).first().click();
          await button(page, 'Back to Asset Details').waitFor();
          const form = page.getByRole('form', { name: 'Edit Asset' });
          await expect.poll(() => form.getByLabel('Recovery cost, exact amount').inputValue()).toBe('31500');
          await form.getByLabel('Name', { exact: true }).fill('Tide gauge north');
          const request = page.waitForRequest((one) => one.method() === 'PUT');
          await button(page, 'Update').click();
          expect((await request).postDataJSON()).toEqual({
            name: 'Tide gauge north',
            projectId: expect.any(String) as unknown,
            isActive: true,
          });
          await toast(page, 'Asset updated').waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: "8, 'Asset deleted'",
        async check(page) {
          await button(page, 'Delete').click();
          await toast(page, 'Asset deleted').waitFor();
          await expect.poll(() => rowOf(page, 'Tide gauge').count()).toBe(0);
          await dismissToasts(page);
        },
      },
    ],
  },
];
