import { type Figure, openPage, type Setup, settle } from './setup.ts';
import { observe, readObserved } from './observe.ts';

/** A connection of 1.6 Mbit/s down and 150 ms for each round trip, as in Lighthouse's "slow 4G". */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** Milliseconds until the largest element is painted, and the sum of layout shifts. */
const bars = { lcp: 2500, cls: 0.1 };
/** Files of the web build that a page requests until it is idle: document, scripts, styles, fonts and images. */
const mostFiles = 29;

interface Load {
  lcp: number;
  lcpOf: string;
  cls: number;
  clsOf: string;
  /** Milliseconds until the data is shown. */
  data: number;
  files: number;
  calls: number;
  /** kB received until the largest paint, and until the page was idle. */
  bytes: number;
}

interface PageCase {
  name: string;
  route: string;
  /** Text that appears only with the page's data. */
  data: RegExp;
  signedIn?: boolean;
}

const cases = ({ asset }: Setup): readonly PageCase[] => [
  { name: 'login', route: '/login', data: /^(?:Log in|Sign in)$/iu, signedIn: false },
  { name: 'dashboard', route: '/dashboard', data: /^report \d+\.json$/u },
  { name: 'overview', route: '/dashboard/overview', data: /risk score/iu },
  {
    name: 'vulnerabilities',
    route: '/dashboard/vulnerabilities',
    data: /^(?:Buffer|SQL|Cross|Use|Path) .+ in /u,
  },
  { name: 'reports', route: '/dashboard/reports', data: /^report \d+\.json$/u },
  { name: 'asset', route: `/dashboard/assets/${asset}`, data: /server/u },
];

async function loadOnce(setup: Setup, { route, data, signedIn = true }: PageCase): Promise<Load> {
  const { context, page, cdp } = await openPage(setup, { signedIn });
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slow);
  let bytes = 0;
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await observe(page);
  await page.goto(`${setup.product.origin}${route}`, { waitUntil: 'commit' });
  await page.getByText(data).first().waitFor();
  const shown = await page.evaluate(() => performance.now());
  await settle(page);
  const { lcp, lcpOf, cls, clsOf } = await readObserved(page);
  await context.close();
  const calls = requested.filter((path) => path.startsWith('/api/')).length;
  return { lcp, lcpOf, cls, clsOf, data: shown, files: requested.length - calls, calls, bytes: bytes / 1000 };
}

/** First loads with an empty cache over a slow connection. */
export async function measureLoads(setup: Setup): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const one of cases(setup)) {
    const loads: Load[] = [];
    for (let run = 0; run < setup.runs; run += 1) loads.push(await loadOnce(setup, one));
    const of = (kind: Exclude<keyof Load, 'lcpOf' | 'clsOf'>) => loads.map((load) => load[kind]);
    figures.push(
      { name: `${one.name}: LCP (${loads[0]?.lcpOf.trim()})`, figures: of('lcp'), bar: bars.lcp },
      {
        name: `${one.name}: CLS (${loads[0]?.clsOf})`,
        figures: of('cls'),
        bar: bars.cls,
        unit: '',
        digits: 3,
      },
      { name: `${one.name}: data shown`, figures: of('data') },
      { name: `${one.name}: files until idle`, figures: of('files'), bar: mostFiles, unit: '' },
      { name: `${one.name}: calls of the api until idle`, figures: of('calls'), unit: '' },
      { name: `${one.name}: received until idle`, figures: of('bytes'), unit: 'kB' },
    );
  }
  return figures;
}
