import type { APIRequestContext, Browser, BrowserContext, Page } from 'playwright-core';
import { type Product, startProduct } from '../../product.ts';
import { openBrowser } from '../chromium.ts';
import { harbour, logbooks, pilots, recall } from './harbour-report.ts';
import { announced, type Announced } from './provoked.ts';
import { makeRecords, type Made } from './made.ts';
import { until } from './until.ts';

/** People of the harbour; each has a browser of their own. */
const people = {
  ada: { firstName: 'Ada', lastName: 'Quay', email: 'ada@harbour.example.org' },
  ben: { firstName: 'Ben', lastName: 'Pier', email: 'ben@harbour.example.org' },
  vera: { firstName: 'Vera', lastName: 'Mole', email: 'vera@harbour.example.org' },
} as const;
export type Name = keyof typeof people;
const password = 'tides turn twice daily';

/** Records of the desk as the API gives them; only what the suite reads. */
export interface Listed {
  total: number;
  rows: { _id: string; name: string; version?: number }[];
}

export interface World {
  product: Product;
  browser: Browser;
  origin: string;
  /** A page of each person, signed in. */
  pages: Record<Name, Page>;
  made: Made;
  /** What the pages complained about, but for what a visit has announced. */
  complaints: string[];
  /** Failed calls that visits provoke. */
  announced: Announced;
  /** Calls the API as a person; throws what it answers to a refused call. */
  api(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>>;
  list(noun: 'vulnerabilities' | 'threats', query?: string): Promise<Listed>;
  idOf(noun: 'vulnerabilities' | 'threats', name: string): Promise<string>;
  end(): Promise<void>;
}

function caller(request: APIRequestContext, origin: string): World['api'] {
  return async (method, path, body) => {
    const reply = await request.fetch(`${origin}${path}`, {
      method,
      headers: { origin },
      ...(body && { data: body }),
    });
    if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
}

/** Some failed loads are what visits provoke; anything else that a console says is a fault of the product. */
function listen(
  page: Page,
  name: Name,
  { complaints, announced: known }: Pick<World, 'complaints' | 'announced'>,
) {
  page.on('pageerror', (error) => complaints.push(`${name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || known.takes(message)) return;
    complaints.push(`${name} at ${page.url()}: ${message.text()} ${message.location().url}`.trim());
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason.includes('BLOCKED')) complaints.push(`${name}: ${request.url()} ${reason}`);
  });
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  context.setDefaultTimeout(15_000);
  return context;
}

async function upload(request: APIRequestContext, origin: string, file: typeof harbour): Promise<void> {
  const reply = await request.post(`${origin}/api/reports/upload?extract=vulnerabilities,threats`, {
    headers: { origin },
    multipart: { stixFile: file },
  });
  if (reply.status() !== 201) throw new Error(`${file.name}: ${reply.status()} ${await reply.text()}`);
}

/** The whole product with one organization in it: reports read and extracted, records made by hand, three people. */
export async function startWorld(chromium: string): Promise<World> {
  // No other catalogue than the built-in one: the suite looks nothing up outside of this machine.
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

async function populate(product: Product, browser: Browser): Promise<World> {
  const origin = product.origins[0] ?? '';
  const heard = { complaints: [] as string[], announced: announced() };
  const contexts = await Promise.all([newContext(browser), newContext(browser), newContext(browser)]);
  const [first, ...others] = contexts as [BrowserContext, ...BrowserContext[]];
  const api = caller(first.request, origin);
  await api('POST', '/api/auth/signup', { ...people.ada, password, organization: 'Harbour Authority' });

  async function read(files: readonly (typeof harbour)[]): Promise<void> {
    for (const file of files) await upload(first.request, origin, file);
    const underWay = '/api/jobs?state=queued&state=running';
    await until('every job done', async () => (await api('GET', underWay))['total'] === 0);
  }
  await read([harbour, ...logbooks]);
  // What these say concerns records that are there.
  await read([pilots, recall]);

  for (const [place, [name, role]] of (
    [
      ['ben', 'analyst'],
      ['vera', 'viewer'],
    ] as const
  ).entries()) {
    const { email } = people[name];
    const { link } = await api('POST', '/api/organization/invitations', { email, role });
    const invitation = new URL(String(link)).searchParams.get('token');
    const theirs = caller((others[place] ?? first).request, origin);
    await theirs('POST', '/api/auth/signup', { ...people[name], password, invitation });
  }

  async function list(noun: 'vulnerabilities' | 'threats', query = ''): Promise<Listed> {
    const reply = await api('GET', `/api/${noun}?${query}`);
    return { total: Number(reply['total']), rows: reply[noun] as Listed['rows'] };
  }
  const made = await makeRecords(api);

  const names = ['ada', 'ben', 'vera'] as const;
  const pages = {} as Record<Name, Page>;
  for (const [place, name] of names.entries()) {
    const page = await (contexts[place] ?? first).newPage();
    listen(page, name, heard);
    pages[name] = page;
  }
  return {
    product,
    browser,
    origin,
    pages,
    made,
    ...heard,
    api,
    list,
    async idOf(noun, name) {
      const { rows } = await list(noun, `search=${encodeURIComponent(name)}`);
      const found = rows.find((row) => row.name === name);
      if (found === undefined) throw new Error(`no ${noun} is called ${name}`);
      return found._id;
    },
    async end() {
      await browser.close();
      await product.stop();
    },
  };
}
