import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.ts';
import { copyFloor, parseFloor } from './floor.ts';
import { type GrowthCase, growthOf, growthPlot, type PlotText } from './growth.ts';
import { fillOrganization, fillVulnerabilities } from './list-rows.ts';
import { addOrganization, type Product, startProduct } from './product.ts';
import { writeSample, writeVulnerabilities } from './sample-report.ts';
import { shown, spread } from './statistics.ts';
import { ingest, remove } from './upload.ts';

/** Issue 15, row 2: times COPY of the same rows at any size, and the time at the greatest size by that at the least. */
const bars = { ratio: 4, growth: 1.3 };
const rowsOfOthers = 500;

const { values } = parseArgs({
  options: {
    /** Vulnerabilities that the organization has before. */
    sizes: { type: 'string', default: '0,100000,1000000' },
    /** Vulnerabilities of the report. */
    records: { type: 'string', default: '100000' },
    organizations: { type: 'string', default: '50' },
    /** Megabytes of the reports of the second table; empty: none. */
    reports: { type: 'string', default: '1,10,46,160' },
    runs: { type: 'string', default: '5' },
  },
});
const numbers = (list: string): number[] => list.split(',').filter(Boolean).map(Number);
const [records, runs] = [Number(values.records), Number(values.runs)];
const folder = await mkdtemp('/tmp/riskboard-bench-');
// Filling without triggers leaves numbers of the overview that a worker repairs and warns of.
const product = await startProduct({ LOG_LEVEL: 'error' });
const { admin } = product;

/** Recomputations of the organization before would slow down the next import. */
async function idle(): Promise<void> {
  for (;;) {
    const { rows } = await admin.query(`select from job where state in ('queued', 'running') limit 1`);
    if (rows.length === 0) return;
    await sleep(20);
  }
}

interface Measured {
  ms: number;
  /** Times JSON.parse and COPY of the same rows. */
  ratio: number;
  copyRatio: number;
}

async function measure(into: Product, file: string): Promise<Measured> {
  const done = await ingest(into, file, path.basename(file));
  const copy = (await copyFloor(admin, done.fileId)).ms;
  const parse = parseFloor(file);
  await idle();
  await remove(into, done.fileId);
  await idle();
  return {
    ms: done.extractedMs,
    ratio: done.extractedMs / (parse + copy),
    copyRatio: done.extractedMs / copy,
  };
}

async function draw(name: string, text: PlotText, row: GrowthCase): Promise<number> {
  const grown = growthOf(row, [1]);
  const file = path.resolve(import.meta.dirname, `../../../docs/plots/${name}.svg`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, growthPlot(text, [grown]));
  console.log(`growth ${grown.growth.toFixed(2)}; plot: ${file}`);
  return grown.growth;
}

/** Measures every size once in each run, and prints a line for each. @returns the times and the ratios to COPY, by size */
async function table(
  sizes: ReadonlyMap<number, { into: Product; file: string }>,
  unit: string,
): Promise<{ ms: Map<number, number[]>; copyRatios: number[] }> {
  const measured = new Map([...sizes.keys()].map((size) => [size, [] as Measured[]]));
  for (let run = 0; run < runs; run += 1)
    for (const [size, { into, file }] of sizes) {
      const one = await measure(into, file);
      measured.get(size)?.push(one);
      console.log(`  run ${run + 1}, ${size} ${unit}: ${one.ms.toFixed(0)} ms`);
    }
  console.log(`\n${unit}, ${runs} runs, min / median / max; ${conditions()}`);
  const medians: number[] = [];
  for (const [size, all] of measured) {
    const of = (name: keyof Measured) => spread(all.map((one) => one[name]));
    medians.push(of('copyRatio').median);
    console.log(
      `  ${size}: ${shown(of('ms'))} ms, ${shown(of('ratio'), 2)} x parse and COPY, ${shown(of('copyRatio'), 2)} x COPY`,
    );
  }
  const ms = new Map([...measured].map(([size, all]) => [size, all.map((one) => one.ms)]));
  return { ms, copyRatios: medians };
}

console.log(conditions());
try {
  const file = path.join(folder, 'vulnerabilities.json');
  await writeVulnerabilities(file, records);
  for (let n = 0; n < Number(values.organizations); n += 1)
    await fillOrganization(admin, (await addOrganization(product)).organizationId, {
      rows: rowsOfOthers,
    });
  const organizations = new Map<number, { into: Product; file: string }>();
  for (const size of numbers(values.sizes)) {
    const into = await addOrganization(product);
    if (size > 0) await fillVulnerabilities(admin, into.organizationId, size);
    organizations.set(size + records, { into, file });
  }
  await admin.query('vacuum analyze');
  await ingest(await addOrganization(product), file, 'warm-up.json');
  await idle();
  const first = await table(organizations, 'vulnerabilities afterwards');
  const growth = await draw(
    'ingest-growth',
    {
      title: `Ingest of ${records} vulnerabilities`,
      sizes: 'vulnerabilities of the organization afterwards',
    },
    { name: 'acknowledged until extracted', figures: first.ms },
  );
  const isWithin = growth <= bars.growth && first.copyRatios.every((ratio) => ratio <= bars.ratio);
  console.log(`limits: ${bars.ratio} x COPY, growth ${bars.growth}: ${isWithin ? 'met' : 'missed'}`);
  process.exitCode = isWithin ? 0 : 1;

  const reports = new Map<number, { into: Product; file: string }>();
  for (const megabytes of numbers(values.reports)) {
    const report = path.join(folder, `${megabytes}.json`);
    await writeSample(report, megabytes * 1_000_000);
    reports.set(megabytes, { into: await addOrganization(product), file: report });
  }
  if (reports.size > 0) {
    const second = await table(reports, 'MB');
    await draw(
      'ingest-sizes',
      { title: 'Ingest of reports of growing size', sizes: 'MB of the report' },
      { name: 'acknowledged until extracted', figures: second.ms },
    );
  }
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
