import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { codeNow } from '../support/totp.ts';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { mailedToken } from '../support/outbox.ts';
import { person, signUp } from '../support/pages.ts';
import { repeatUnavailable } from '../support/repeat-unavailable.ts';

const executablePath = chromiumPath();

/** Two users: the owner of an organization, and an invited member whose role changes. */
describe.skipIf(!executablePath)('team and account security in a real browser', () => {
  let product: Product;
  let browser: Browser;
  let origin = '';
  let ada: Page;
  let ben: Page;
  let adaPassword: string = person.password;
  const benPassword = 'a quiet harbour morning';
  const problems: string[] = [];

  async function openPage(name: string): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => problems.push(`${name}: ${error.message}`));
    page.on('console', (message) => {
      // The browser reports refused calls as errors; the tests check which calls are refused. A socket that connects again
      // while a change of the password replaces the session is refused with the cookie of the former one.
      const isRefusal =
        /^(?:Failed to load resource|WebSocket connection to \S+ failed: HTTP Authentication failed)/u;
      if (message.type() === 'error' && !isRefusal.test(message.text()))
        problems.push(`${name}: ${message.text()}`);
    });
    return page;
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const shownOnce = async (page: Page): Promise<string> =>
    (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';

  async function setUpSecondFactor(page: Page, password: string): Promise<string> {
    await button(page, 'Set up').click();
    await page.getByLabel('Your password').fill(password);
    await page.keyboard.press('Enter');
    const secret = (await shownOnce(page)).replaceAll(/\s/gu, '');
    await page.getByLabel('Code from the app').fill(codeNow(secret));
    await page.keyboard.press('Enter');
    await page.getByText('Store your recovery codes').waitFor();
    const recovery = await page.getByRole('dialog', { name: 'Store your recovery codes' }).innerText();
    await page.getByRole('checkbox').click();
    await button(page, 'Done').click();
    await page.getByText(/recovery codes left/u).waitFor();
    return /\b[A-Z2-7]{4}(?:-[A-Z2-7]{4}){5}\b/iu.exec(recovery)?.[0] ?? '';
  }

  beforeAll(async () => {
    product = await startProduct();
    origin = product.origins[0] ?? '';
    browser = await openBrowser(executablePath ?? '');
    [ada, ben] = [await openPage('Ada'), await openPage('Ben')];
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('refuses a common password and accepts another one', async () => {
    await signUp(ada, origin);
    await ada.goto(`${origin}/dashboard/settings/security`);
    await ada.getByLabel('Current password').fill(adaPassword);
    await ada.getByLabel('New password').fill('password1234');
    await button(ada, 'Change password').click();
    await ada.getByText('This password is too common').waitFor();
    adaPassword = 'another tide for today';
    await ada.getByLabel('New password').fill(adaPassword);
    await button(ada, 'Change password').click();
    await ada.getByText('Password changed').waitFor();
  });

  let recoveryCode = '';
  it('sets up a second factor, and a recovery code replaces the app', async () => {
    recoveryCode = await setUpSecondFactor(ada, adaPassword);
    expect(recoveryCode).not.toBe('');
    await ada.getByRole('button', { name: /Hello, Ada/u }).click();
    await ada.getByRole('menuitem', { name: 'Log out' }).click();
    await ada.waitForURL('**/login**');
    await ada.getByLabel('Email').fill(person.email);
    await ada.getByLabel('Password', { exact: true }).fill(adaPassword);
    await button(ada, 'Log in').click();
    await button(ada, /recovery code/iu).click();
    await ada.getByLabel(/recovery code/iu).fill(recoveryCode);
    await ada.keyboard.press('Enter');
    await ada.waitForURL('**/dashboard');
  });

  it('an invited user joins through the mailed link', async () => {
    await ada.goto(`${origin}/dashboard/settings/members`);
    await button(ada, 'Invite member').click();
    await ada.getByLabel('Email').fill('ben@harbour.example.org');
    await ada.getByRole('radio', { name: 'Viewer' }).click();
    await button(ada, 'Send invitation').click();
    await ada.getByText('Invitation created').waitFor();
    expect(await shownOnce(ada)).toContain('/invitation?token=');
    await button(ada, 'Done').click();
    const token = await mailedToken(product.outbox, '/invitation?token=');
    await ben.goto(`${origin}/invitation?token=${token}`);
    await ben.getByLabel('First name').fill('Ben');
    await ben.getByLabel('Password', { exact: true }).fill(benPassword);
    await ben.getByRole('button', { name: /create|join/iu }).click();
    await ben.waitForURL('**/dashboard');
    expect(ben.url()).not.toContain(token);
  });

  it('shows what a viewer may not do, and updates when the owner changes the role', async () => {
    await ben.goto(`${origin}/dashboard/settings/organization`);
    await ben.getByText('Requires the owner role').first().waitFor();
    await ada.getByRole('combobox', { name: /Role of Ben/u }).click();
    await ada.getByRole('option', { name: 'Analyst' }).click();
    await ada.getByText('is now an analyst').waitFor();
    await ben.getByText('You are an analyst').first().waitFor();
  });

  it('an API token works until it is revoked', async () => {
    const callWith = (token: string) =>
      repeatUnavailable(() =>
        fetch(`${origin}/api/reports/overview`, { headers: { authorization: `Bearer ${token}` } }),
      );
    await ada.goto(`${origin}/dashboard/settings/tokens`);
    await button(ada, 'New token').click();
    await ada.getByLabel('Name').fill('Nightly');
    await ada.getByLabel('Your password').fill(adaPassword);
    await button(ada, 'Create token').click();
    await ada.getByText('Token for Nightly').waitFor();
    const token = await shownOnce(ada);
    await button(ada, 'I have copied it').click();
    expect((await callWith(token)).status).toBe(200);
    await button(ada, 'Revoke Nightly').click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await ada.getByText('Nightly revoked').waitFor();
    expect((await callWith(token)).status).toBe(401);
  });

  it('when a second factor is required, a member without one may only set one up', async () => {
    await ada.goto(`${origin}/dashboard/settings/organization`);
    await ada.getByRole('switch', { name: 'Require a second factor' }).click();
    await button(ada, 'Require second factor').click();
    await ada.getByText('Second factor now required').waitFor();
    await ben.getByText('Set up a second factor to continue').waitFor();
    await ben.getByRole('link', { name: /Set up second factor/u }).click();
    await setUpSecondFactor(ben, benPassword);
  });

  it('a reset link works once and ends every session', async () => {
    const other = await openPage('Other');
    await other.goto(`${origin}/login`);
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    // The URL changes before the page does, and the login page has an 'Email' field too.
    await other.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await other.getByLabel('Email').fill(person.email);
    await other.keyboard.press('Enter');
    await other.getByText('If an account exists for this address').waitFor();
    const token = await mailedToken(product.outbox, '/reset-password?token=');
    await other.goto(`${origin}/reset-password?token=${token}`);
    adaPassword = 'the third tide of the day';
    await other.getByLabel('New password').fill(adaPassword);
    await other.keyboard.press('Enter');
    await other.getByText('Your password has been changed').waitFor();
    await ada.waitForURL('**/login**');
    await other.goto(`${origin}/reset-password?token=${token}`);
    await other.getByLabel('New password').fill('the fourth tide of the day');
    await other.keyboard.press('Enter');
    await other.getByText('This link is no longer valid').waitFor();
    await other.context().close();
  });

  it('the activity log shows account entries and addresses to owners only', async () => {
    await ben.goto(`${origin}/dashboard/threats/new`);
    await ben.getByLabel('Name').fill('Night Pilots');
    await ben.getByLabel('Description').first().fill('Fly by night');
    await button(ben, 'Create').click();
    await ben.getByText('Threat created').waitFor();
    await ben.goto(`${origin}/dashboard/activity`);
    await ben.getByRole('heading', { name: 'Activity' }).waitFor();
    await ben.getByText('Night Pilots').first().waitFor();
    // Ben is an analyst: account entries are neither visible nor offered as a filter.
    expect(await ben.getByText('127.0.0.1').count()).toBe(0);
    await ben.getByRole('button', { name: 'Filter', exact: true }).click();
    await ben.getByRole('button', { name: 'Person', exact: true }).waitFor();
    expect(await ben.getByRole('button', { name: 'IP address' }).count()).toBe(0);
    await ben.getByRole('button', { name: 'Area', exact: true }).click();
    await ben.getByRole('checkbox', { name: 'Reports' }).waitFor();
    expect(await ben.getByRole('checkbox', { name: 'Accounts' }).count()).toBe(0);
  });

  it('the console shows no error but refused calls', () => {
    expect(problems).toEqual([]);
  });
});
