import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { listenToSocket } from '../support/event-frames.ts';
import { type Product, startProduct } from '../support/product.ts';

const executablePath = chromiumPath();

/** Two tabs of one browser, which share the session cookie. */
describe.skipIf(!executablePath)('two tabs of a browser', () => {
  let product: Product;
  let browser: Browser;
  let origin = '';
  let first: Page;
  let second: Page;

  /** Signs an account up in the browser: all its tabs have the session from now on. */
  async function signUp(name: string): Promise<void> {
    const email = `${name.toLowerCase()}@example.org`;
    const reply = await second.request.post(`${origin}/api/auth/signup`, {
      headers: { origin },
      data: { email, password: 'tides turn twice daily', firstName: name, organization: `${name} Ltd` },
    });
    expect(reply.status()).toBe(201);
  }

  /** The names of the threats that the signed-in user sees. */
  async function threatNames(): Promise<string[]> {
    const answer = await second.request.get(`${origin}/api/threats`);
    const { threats } = (await answer.json()) as { threats: { name: string }[] };
    return threats.map(({ name }) => name);
  }

  beforeAll(async () => {
    product = await startProduct();
    origin = product.origins[0] ?? '';
    browser = await openBrowser(executablePath ?? '');
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(20_000);
    [first, second] = [await context.newPage(), await context.newPage()];
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('a form creates nothing for the account that logged in in the other tab, also without a socket', async () => {
    await first.routeWebSocket('**/api/events*', (socket) => socket.close());
    await signUp('Ada');
    await first.goto(`${origin}/dashboard/threats/new`);
    await first.getByRole('textbox', { name: 'Name' }).fill('Night Pilots');
    await first.getByLabel('Description').first().fill('Fly by night');
    await signUp('Ben');
    // A call of the page may have been refused before.
    await first
      .getByRole('button', { name: 'Create' })
      .click({ timeout: 5000 })
      .catch(() => undefined);
    await first.getByText('ben@example.org has logged in in another tab.').waitFor();
    await first.getByRole('button', { name: /Hello, Ben/u }).waitFor();
    expect(new URL(first.url()).pathname).toBe('/dashboard');
    expect(await threatNames()).toEqual([]);
  });

  it('the tab then works for the other account', async () => {
    await first.goto(`${origin}/dashboard/threats/new`);
    expect(await first.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
    await first.getByRole('textbox', { name: 'Name' }).fill('Day Pilots');
    await first.getByLabel('Description').first().fill('Fly by day');
    await first.getByRole('button', { name: 'Create' }).click();
    await first.getByText('Threat created').waitFor();
    expect(await threatNames()).toEqual(['Day Pilots']);
  });

  it('a change of the password keeps both tabs logged in and connected, and a copy of the cookies ends', async () => {
    const [changing, copying] = [await browser.newContext(), await browser.newContext()];
    changing.setDefaultTimeout(20_000);
    [first, second] = [await changing.newPage(), await changing.newPage()];
    await signUp('Cleo');
    const sockets = [listenToSocket(first), listenToSocket(second)];
    const hellos = () => sockets.map((received) => received.filter(({ type }) => type === 'hello').length);
    await second.goto(`${origin}/dashboard/threats`);
    await first.goto(`${origin}/dashboard/settings/security`);
    await vi.waitFor(() => expect(hellos()).toEqual([1, 1]));
    await copying.addCookies(await changing.cookies());
    const copied = async (method: string, path: string) =>
      (await copying.request.fetch(`${origin}${path}`, { method, headers: { origin } })).status();
    expect(await copied('GET', '/api/auth/me')).toBe(200);

    await first.getByLabel('Current password').fill('tides turn twice daily');
    await first.getByLabel('New password').fill('another tide for today');
    await first.getByRole('button', { name: 'Change password' }).click();
    await first.getByText('Password changed').waitFor();
    expect(await copied('GET', '/api/auth/me')).toBe(401);
    expect(await copied('POST', '/api/auth/refresh')).toBe(401);

    await vi.waitFor(() => expect(hellos()).toEqual([2, 2]));
    const created = await first.request.post(`${origin}/api/threats`, {
      headers: { origin },
      data: { name: 'Tide Pilots', description: 'Fly at low tide' },
    });
    expect(created.status()).toBe(201);
    await second.getByRole('link', { name: 'Tide Pilots' }).waitFor();
    expect([first, second].map((page) => new URL(page.url()).pathname)).toEqual([
      '/dashboard/settings/security',
      '/dashboard/threats',
    ]);
  });
});
