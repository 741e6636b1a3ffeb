import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { type GrowthCase, growthOf, growthPlot, type GrowthRow } from './growth.ts';
import { facetCases, listCases, type Noun, nouns } from './list-cases.ts';
import { fillOrganization, withoutIndexes } from './list-rows.ts';
import { addOrganization, startProduct } from './product.ts';

/** Issue 15, row 6: against an authenticated call that reads one row, and from the least size to the greatest. */
const bars = { ratio50: 3, ratio99: 6, growth: 1.3 };
const calls = 30;
const warmUp = 3;
const pageSize = 50;
/** Other organizations, and rows in each of their lists. */
const neighbours = { organizations: 200, rows: 500 };

const usage = `list-growth [case] [--sizes 10000,100000,1000000]
Pages, sorts, filters, facets and searches of lists of these lengths, each in an organization of its own beside ${neighbours.organizations}
others, compared with an authenticated call that reads one row. Measured in turn, call by call. Needs about 10 minutes.`;

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(usage);
  process.exit();
}
const sizesAt = given.indexOf('--sizes');
const sizes = (sizesAt === -1 ? '10000,100000,1000000' : (given[sizesAt + 1] ?? '')).split(',').map(Number);
const wanted = given.find((text, n) => !text.startsWith('--') && n !== sizesAt + 1) ?? '';
if (sizes.some((size) => !Number.isInteger(size) || size < 100)) throw new Error(usage);

/** A call of the api by the number of rows of the list. */
interface Case {
  name: string;
  path: (rows: number) => string;
}

const pages = { 'page 100': () => 100, 'last page': (rows: number) => rows / pageSize };

const casesOf = (noun: Noun): Case[] => {
  const list = (query: string) => `/api/${noun}?pageSize=${pageSize}&${query}`;
  const shown = listCases[noun].filter(({ name }) => name !== 'page 1,000');
  return [
    ...shown.map(({ name, query }) => ({ name: `${noun}, ${name}`, path: () => list(query) })),
    ...shown
      .filter(({ name }) => name.startsWith('sort '))
      .flatMap(({ name, query }) =>
        Object.entries(pages).map(([page, number]) => ({
          name: `${noun}, ${name}, ${page}`,
          path: (rows: number) => list(`${query}&page=${number(rows)}`),
        })),
      ),
    ...facetCases[noun].map(([field]) => ({
      name: `${noun}, facet ${field}`,
      path: () => `/api/${noun}/facets?field=${field}`,
    })),
  ];
};

const product = await startProduct();
let requests = 0;

/** Milliseconds of one call. The client address changes every few calls, so that the rate limit does not apply. */
async function time(url: string, token: string): Promise<number> {
  requests += 1;
  const started = performance.now();
  const answer = await fetch(`${product.origin}${url}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
    },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}

interface Filled {
  rows: number;
  token: string;
  /** Call that reads one row. */
  one: string;
}

async function fill(rows: number): Promise<Filled> {
  const { organizationId, token } = await addOrganization(product);
  const started = performance.now();
  await fillOrganization(product.admin, organizationId, rows);
  console.log(
    `${rows.toLocaleString('en-US')} rows in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  const { rows: found } = await product.admin.query<{ id: string }>(
    'select id from project where organization_id = $1 limit 1',
    [organizationId],
  );
  return { rows, token, one: `/api/projects/${found[0]?.id ?? ''}` };
}

const row = ({ name, sizes: columns, growth }: GrowthRow): string => {
  const figures = columns.map(
    ({ p50, p99, ratio50 }) =>
      `${p50.toFixed(1).padStart(8)}${p99.toFixed(1).padStart(8)}${ratio50.toFixed(1).padStart(6)}`,
  );
  const over = columns.some(({ ratio50, ratio99 }) => ratio50 > bars.ratio50 || ratio99 > bars.ratio99);
  const marks = [over ? 'ratio' : '', growth > bars.growth ? 'growth' : ''].filter(Boolean).join(', ');
  return `${name.padEnd(46)}${figures.join('')}${growth.toFixed(2).padStart(8)}${marks && `  ${marks}`}`;
};

try {
  const filled = await withoutIndexes(product.admin, async () => {
    for (let n = 0; n < neighbours.organizations; n += 1) {
      const { organizationId } = await addOrganization(product);
      await fillOrganization(product.admin, organizationId, neighbours.rows);
    }
    const organizations: Filled[] = [];
    for (const rows of sizes) organizations.push(await fill(rows));
    return organizations;
  });
  await product.admin.query('vacuum analyze');

  console.log(`load ${loadavg()[0]?.toFixed(1) ?? ''}, ${calls} calls each`);
  const floor: number[] = [];
  const measured: GrowthCase[] = [];
  for (const { name, path: pathOf } of nouns.flatMap(casesOf).filter((one) => one.name.includes(wanted))) {
    const figures = new Map(sizes.map((size): [number, number[]] => [size, []]));
    for (let n = -warmUp; n < calls; n += 1) {
      for (const { rows, token, one } of filled) {
        const [floorMs, ms] = [await time(one, token), await time(pathOf(rows), token)];
        if (n < 0) continue;
        floor.push(floorMs);
        figures.get(rows)?.push(ms);
      }
    }
    measured.push({ name, figures });
    console.log(row(growthOf({ name, figures }, floor)));
  }
  const rows = measured.map((one) => growthOf(one, floor));
  const folder = path.join(import.meta.dirname, '../../../docs/plots');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'list-growth.svg'),
    growthPlot('Median of a call by rows of the list', rows),
  );
  console.log(
    `\n${''.padEnd(46)}${sizes.map((size) => `${`${size}: p50`.padStart(14)}  p99 ratio`).join('')}  growth`,
  );
  for (const one of rows.toSorted((a, b) => b.growth - a.growth).slice(0, 25)) console.log(row(one));
  const grown = rows.filter(({ growth }) => growth > bars.growth).length;
  const slow = rows.filter(({ sizes: all }) =>
    all.some(({ ratio50, ratio99 }) => ratio50 > bars.ratio50 || ratio99 > bars.ratio99),
  ).length;
  console.log(
    `${rows.length} cases; ${grown} grow by more than ${bars.growth}; ${slow} above ${bars.ratio50} x p50 or ${bars.ratio99} x p99 of reading one row`,
  );
  process.exitCode = grown + slow === 0 ? 0 : 1;
} finally {
  await product.stop();
}
