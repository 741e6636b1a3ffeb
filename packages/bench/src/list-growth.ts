import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.ts';
import { growthOf, growthPlot, type GrowthRow } from './growth.ts';
import { facetCases, listCases, type Noun, nouns } from './list-cases.ts';
import { type Filled, listOrganizations, neighbours } from './list-database.ts';
import { startProduct, withToken } from './product.ts';

/** Issue 15, row 6: against an authenticated call that reads one row, and from the least size to the greatest. */
const bars = { ratio50: 3, ratio99: 6, growth: 1.3 };
const warmUp = 3;
const pageSize = 50;

const usage = `list-growth [case] [--sizes 10000,100000,1000000] [--nouns vulnerabilities,threats,assets] [--calls 30] [--data DIR]
Pages, sorts, filters, facets and searches of lists of these lengths, each in an organization of its own beside ${neighbours.organizations}
others, compared with an authenticated call that reads one row. Measured in turn, call by call. [case] is a regular expression of
the names to measure. Filling lists of 10^6 rows takes about ten minutes, 10^7 vulnerabilities alone about an hour and 50 GB; with --data they are kept in this folder, and a later
run with the same folder starts at once (delete the folder after an interrupted filling). One process may use it at a time;
another can use a copy of it.`;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    nouns: { type: 'string', default: nouns.join(',') },
    calls: { type: 'string', default: '30' },
    data: { type: 'string' },
  },
});
if (given.help) {
  console.log(usage);
  process.exit();
}
const sizes = given.sizes.split(',').map(Number);
const calls = Number(given.calls);
const wantedNouns = nouns.filter((noun) => given.nouns.split(',').includes(noun));
/** Vulnerabilities alone are filled alone, so that a list of 10^7 rows fits on the disk. */
const only = given.nouns === 'vulnerabilities' ? given.nouns : undefined;
const wanted = new RegExp(positionals[0] ?? '', 'u');
if ([...sizes, calls].some((figure) => !Number.isInteger(figure) || figure < 1)) throw new Error(usage);

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

const product = await startProduct({}, { data: given.data });

/** Milliseconds of one call. */
async function time(url: string, token: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${product.origin}${url}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  // A statement that is cut off at the api's limit counts with that time.
  if (!answer.ok && answer.status !== 503)
    throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}

interface Measured extends Filled {
  /** Call that reads one row. */
  one: string;
}

async function withOneRow(filled: Filled): Promise<Measured> {
  const { rows } = await product.admin.query<{ id: string }>(
    'select id from project where organization_id = $1 limit 1',
    [filled.organizationId],
  );
  return { ...filled, one: `/api/projects/${rows[0]?.id ?? ''}` };
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
  const filled: Measured[] = [];
  for (const one of await listOrganizations(product, { sizes, only })) filled.push(await withOneRow(one));

  console.log(`${conditions()}, ${calls} calls each`);
  const rows: GrowthRow[] = [];
  for (const { name, path: pathOf } of wantedNouns.flatMap(casesOf).filter((one) => wanted.test(one.name))) {
    // The floor of each case is measured beside it, because the load of the machine changes during a run.
    const floor: number[] = [];
    const figures = new Map(sizes.map((size): [number, number[]] => [size, []]));
    // Calls are limited by token.
    const tokens: Measured[] = [];
    for (const of of filled) tokens.push({ ...of, ...(await withToken(product, of.organizationId)) });
    for (let n = -warmUp; n < calls; n += 1) {
      for (const { rows, token, one } of tokens) {
        const [floorMs, ms] = [await time(one, token), await time(pathOf(rows), token)];
        if (n < 0) continue;
        floor.push(floorMs);
        figures.get(rows)?.push(ms);
      }
    }
    const measured = growthOf({ name, figures }, floor);
    rows.push(measured);
    console.log(row(measured));
  }
  const folder = path.join(import.meta.dirname, '../../../docs/plots');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'list-growth.svg'),
    growthPlot({ title: 'Median of a call of a list', sizes: 'rows of the list' }, rows),
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
