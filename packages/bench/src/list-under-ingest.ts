import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.ts';
import { listOrganizations } from './list-database.ts';
import { addOrganization, startProduct, withToken } from './product.ts';
import { largeReport } from './sample-report.ts';
import { percentile } from './statistics.ts';

/** Issue 15, row 6: the 99th percentile of list calls during an ingest, compared with the same calls without one. */
const bar = 2;

const usage = `list-under-ingest [--rows 100000] [--rounds 40] [--data DIR]
Calls of the list of vulnerabilities with this many rows, one after another, without other work, while another process
uploads a report of 46 MB again and again and the worker extracts its records, and without other work again. --data: as
for list-growth. Needs about 2 minutes after the filling.`;

const { values: given } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '40' },
    data: { type: 'string' },
  },
});
const [rows, rounds] = [Number(given.rows), Number(given.rounds)];
if (given.help || ![rows, rounds].every((figure) => Number.isInteger(figure) && figure > 0)) {
  console.log(usage);
  process.exit(given.help ? 0 : 2);
}

const list = '/api/vulnerabilities?pageSize=50&';
const cases: Readonly<Record<string, string>> = {
  'first page': list,
  'sort by CVSS': `${list}sort=-cvssScore`,
  'page 100 by name': `${list}sort=name&page=100`,
  'one status': `${list}status=open`,
  'two bands': `${list}severity=critical&severity=low`,
  'range of numbers': `${list}cvssScoreMin=7&cvssScoreMax=8.5`,
  'one weakness': `${list}cwe=CWE-79`,
  'rare search': `${list}search=c4ca4238`,
  'common search': `${list}search=lighthouse`,
  'facet of status': '/api/vulnerabilities/facets?field=status',
};

const folder = await mkdtemp('/tmp/riskboard-bench-');
const report = await largeReport(folder);
const product = await startProduct({}, { data: given.data });

type Figures = Record<string, number[]>;

/** Milliseconds of each case, measured one after the other. */
async function measure(organizationId: string, goesOn: () => boolean = () => true): Promise<Figures> {
  const figures: Figures = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let n = 0; n < rounds && goesOn(); n += 1) {
    // Calls are limited by token.
    const { token } = await withToken(product, organizationId);
    for (const [name, url] of Object.entries(cases)) {
      const started = performance.now();
      const answer = await fetch(`${product.origin}${url}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.text();
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      figures[name]?.push(performance.now() - started);
    }
  }
  return figures;
}

/** Measures while another process uploads. */
async function duringIngest(organizationId: string): Promise<{ figures: Figures; ended: number }> {
  const other = await addOrganization(product, 'Ingest');
  const child = fork(path.join(import.meta.dirname, 'ingest-repeatedly.ts'), [
    product.origin,
    other.token,
    String(product.admin.port),
    report.file,
  ]);
  let ended = 0;
  child.on('message', (message) => (ended += message === 'ended' ? 1 : 0));
  await once(child, 'message');
  const figures = await measure(organizationId, () => child.exitCode === null);
  const failed = child.exitCode !== null;
  child.kill();
  if (failed) throw new Error('The uploading process ended');
  return { figures, ended };
}

const row = (name: string, [idle, busy]: readonly [readonly number[], readonly number[]]): string => {
  const shares = [0.5, 0.99];
  const figures = shares.flatMap((share) => {
    const [was, is] = [percentile(idle, share), percentile(busy, share)];
    return [was.toFixed(1), is.toFixed(1), (is / was).toFixed(2)];
  });
  return `${name.padEnd(24)}${figures.map((figure) => figure.padStart(9)).join('')}`;
};

try {
  const [filled] = await listOrganizations(product, { sizes: [rows] });
  const organizationId = filled?.organizationId ?? '';
  await measure(organizationId);
  console.log(`${conditions()}; ${rounds} calls each; ${report.name}`);
  const before = await measure(organizationId);
  const { figures: during, ended } = await duringIngest(organizationId);
  const after = await measure(organizationId);
  const heads = ['p50 idle', 'ingest', 'ratio', 'p99 idle', 'ingest', 'ratio'];
  console.log(`${''.padEnd(24)}${heads.map((head) => head.padStart(9)).join('')}`);
  const idle = (name: string) => [...(before[name] ?? []), ...(after[name] ?? [])];
  for (const name of Object.keys(cases)) console.log(row(name, [idle(name), during[name] ?? []]));
  const all = [Object.keys(cases).flatMap(idle), Object.values(during).flat()] as const;
  console.log(row('all calls', all));
  console.log(`${ended} ingests ended meanwhile; bar ${bar}`);
  process.exitCode = percentile(all[1], 0.99) > bar * percentile(all[0], 0.99) ? 1 : 0;
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
