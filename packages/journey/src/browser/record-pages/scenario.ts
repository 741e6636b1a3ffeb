import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIRequestContext, Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import { type Product, startProduct } from '../../support/product.ts';
import { openBrowser } from '../../support/chromium.ts';
import { harbour, logbooks, pilots, recall } from './harbour-reports.ts';
import { createExpectedFailures, type ExpectedFailures } from './expected-failures.ts';
import { createSeedRecords, type SeedIds } from './seed-records.ts';
import { until } from './wait-until.ts';
import { repeatUnavailableInBrowser } from '../../support/repeat-unavailable.ts';

/** The users; each has an own browser context. */
const users = {
  ada: { firstName: 'Ada', lastName: 'Quay', email: 'ada@harbour.example.org' },
  ben: { firstName: 'Ben', lastName: 'Pier', email: 'ben@harbour.example.org' },
  vera: { firstName: 'Vera', lastName: 'Mole', email: 'vera@harbour.example.org' },
} as const;
export type Name = keyof typeof users;
/** Of all users. */
export const password = 'tides turn twice daily';

/** A list as the API returns it; only what the suite reads. */
export interface Listed {
  total: number;
  rows: { _id: string; name: string; version?: number }[];
}

export interface Scenario {
  product: Product;
  browser: Browser;
  origin: string;
  /** One signed-in page per user. */
  pages: Record<Name, Page>;
  seed: SeedIds;
  /** Errors that the pages reported, except those that a page case declares. */
  consoleErrors: string[];
  /**
   * Calls answered 503, except those that a page case declares. While a busy machine leaves the database without processor
   * time they are correct, and the page repeats them.
   */
  unavailable: string[];
  /** Failed calls that visits provoke. */
  expectedFailures: ExpectedFailures;
  /**
   * Renews the sessions of all users before they expire (10 minutes), so that no call of a page is answered 401. Only
   * between page cases: a page that renews its session at the same time would send a rotated cookie.
   */
  renewSessions(): Promise<void>;
  /** Calls the API as Ada. @throws with the response when the call is refused */
  api(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>>;
  list(noun: 'vulnerabilities' | 'threats', query?: string): Promise<Listed>;
  idOf(noun: 'vulnerabilities' | 'threats', name: string): Promise<string>;
  /** Screenshots of all pages in the folder for temporary files, named after a failed test. */
  screenshots(name: string): Promise<void>;
  end(): Promise<void>;
}

function caller(request: APIRequestContext, origin: string): Scenario['api'] {
  return async (method, path, body) => {
    const reply = await repeatUnavailableInBrowser(() =>
      request.fetch(`${origin}${path}`, {
        method,
        headers: { origin },
        ...(body && { data: body }),
      }),
    );
    if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
}

const identifiers = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu;

/**
 * Notes what the page deletes. @returns whether a console message says that something deleted was not found: the event of the
 * deletion may arrive before its reply, and the page then asks again for what it still shows
 */
function watchDeletions(page: Page): (message: ConsoleMessage) => boolean {
  const deleted = new Set<string>();
  page.on('request', (request) => {
    if (request.method() !== 'DELETE') return;
    for (const [id] of `${request.url()} ${request.postData() ?? ''}`.matchAll(identifiers)) deleted.add(id);
  });
  return (message) =>
    message.text().includes('status of 404') &&
    [...message.location().url.matchAll(identifiers)].some(([id]) => deleted.has(id));
}

/** Records console errors, except for the failures that page cases provoke. */
function recordConsoleErrors(
  page: Page,
  name: Name,
  {
    consoleErrors,
    unavailable,
    expectedFailures,
  }: Pick<Scenario, 'consoleErrors' | 'unavailable' | 'expectedFailures'>,
) {
  const isOfDeleted = watchDeletions(page);
  page.on('pageerror', (error) => consoleErrors.push(`${name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || expectedFailures.includes(message) || isOfDeleted(message)) return;
    const to = message.text().includes('status of 503') ? unavailable : consoleErrors;
    to.push(`${name} at ${page.url()}: ${message.text()} ${message.location().url}`.trim());
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason.includes('BLOCKED')) consoleErrors.push(`${name}: ${request.url()} ${reason}`);
  });
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  context.setDefaultTimeout(30_000);
  return context;
}

async function upload(request: APIRequestContext, origin: string, file: typeof harbour): Promise<void> {
  const reply = await repeatUnavailableInBrowser(() =>
    request.post(`${origin}/api/reports/upload?extract=vulnerabilities,threats`, {
      headers: { origin },
      multipart: { stixFile: file },
    }),
  );
  if (reply.status() !== 201) throw new Error(`${file.name}: ${reply.status()} ${await reply.text()}`);
}

/** Milliseconds, well below the lifetime of a session (contract, Accounts). */
const renewEvery = 4 * 60_000;

/** @returns renews the sessions when the last renewal is a while ago */
function createRenewal(contexts: readonly BrowserContext[], origin: string): Scenario['renewSessions'] {
  let renewed = performance.now();
  return async () => {
    if (performance.now() - renewed < renewEvery) return;
    renewed = performance.now();
    await Promise.all(contexts.map(({ request }) => caller(request, origin)('POST', '/api/auth/refresh')));
  };
}

/** Starts the product with one organization: imported reports, manual records and three users. */
export async function startScenario(chromium: string): Promise<Scenario> {
  // Only the built-in CWE catalogue: the suite makes no calls to other machines.
  const product = await startProduct({ env: { CWE_API_URL: '' } });
  const browser = await openBrowser(chromium);
  try {
    return await populate(product, browser);
  } catch (error) {
    await browser.close();
    await product.stop();
    throw error;
  }
}

async function populate(product: Product, browser: Browser): Promise<Scenario> {
  const origin = product.origins[0] ?? '';
  const records = {
    consoleErrors: [] as string[],
    unavailable: [] as string[],
    expectedFailures: createExpectedFailures(),
  };
  const contexts = await Promise.all([newContext(browser), newContext(browser), newContext(browser)]);
  const [first, ...others] = contexts as [BrowserContext, ...BrowserContext[]];
  const api = caller(first.request, origin);
  await api('POST', '/api/auth/signup', { ...users.ada, password, organization: 'Harbour Authority' });

  async function read(files: readonly (typeof harbour)[]): Promise<void> {
    for (const file of files) await upload(first.request, origin, file);
    const unfinished = '/api/jobs?state=queued&state=running';
    await until('every job done', async () => (await api('GET', unfinished))['total'] === 0);
  }
  await read([harbour, ...logbooks]);
  // These change records that exist by now.
  await read([pilots, recall]);

  for (const [index, [name, role]] of (
    [
      ['ben', 'analyst'],
      ['vera', 'viewer'],
    ] as const
  ).entries()) {
    const { email } = users[name];
    const { link } = await api('POST', '/api/organization/invitations', { email, role });
    const invitation = new URL(String(link)).searchParams.get('token');
    const theirs = caller((others[index] ?? first).request, origin);
    await theirs('POST', '/api/auth/signup', { ...users[name], password, invitation });
  }

  async function list(noun: 'vulnerabilities' | 'threats', query = ''): Promise<Listed> {
    const reply = await api('GET', `/api/${noun}?${query}`);
    return { total: Number(reply['total']), rows: reply[noun] as Listed['rows'] };
  }
  const seed = await createSeedRecords(api);

  const names = ['ada', 'ben', 'vera'] as const;
  const pages = {} as Record<Name, Page>;
  for (const [index, name] of names.entries()) {
    const page = await (contexts[index] ?? first).newPage();
    recordConsoleErrors(page, name, records);
    pages[name] = page;
  }
  return {
    product,
    browser,
    origin,
    pages,
    seed,
    ...records,
    renewSessions: createRenewal(contexts, origin),
    api,
    list,
    async idOf(noun, name) {
      const { rows } = await list(noun, `search=${encodeURIComponent(name)}`);
      const found = rows.find((row) => row.name === name);
      if (found === undefined) throw new Error(`no ${noun} has the name ${name}`);
      return found._id;
    },
    async screenshots(name) {
      for (const user of names)
        await pages[user].screenshot({ path: join(tmpdir(), `riskboard-record-pages-${name}-${user}.png`) });
    },
    async end() {
      await browser.close();
      await product.stop();
    },
  };
}
