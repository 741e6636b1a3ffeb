import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addOrganization, startProduct } from './product.ts';
import { writeSample } from './sample-report.ts';
import { shown, spread } from './statistics.ts';
import { ingest } from './upload.ts';

/** Issue 9, point 7. */
const organizations = Number(process.argv[2] ?? 50);
const megabytes = Number(process.argv[3] ?? 46);
const bar = 1.5;
/** Organizations at each end whose median is compared: single imports vary with the load of the machine. */
const compared = 5;

/**
 * Imports two large reports into one organization after the other: the last ones must take as long as the first ones,
 * although the planner's statistics cannot know a new organization.
 */
const folder = await mkdtemp('/tmp/riskboard-bench-');
const reports = ['first.json', 'second.json'].map((name) => path.join(folder, name));
for (const report of reports) await writeSample(report, megabytes * 1_000_000);
const product = await startProduct();

/** Recomputations of the organization before would slow down the next import. */
async function idle(): Promise<void> {
  for (;;) {
    const { rows } = await product.admin.query(
      `select from job where state in ('queued', 'running') limit 1`,
    );
    if (rows.length === 0) return;
    await sleep(20);
  }
}

const figures: number[] = [];
try {
  for (let n = 1; n <= organizations; n += 1) {
    const one = await addOrganization(product);
    let ms = 0;
    for (const report of reports) ms += (await ingest(one, report, path.basename(report))).extractedMs;
    await idle();
    figures.push(ms);
    console.log(`organization ${n}: ${ms.toFixed(0)} ms for ${reports.length} reports`);
    // As autovacuum does at any time; the next organization is unknown to these statistics.
    if (n % 4 === 0) await product.admin.query('analyze');
  }
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
const [first, last] = [spread(figures.slice(0, compared)), spread(figures.slice(-compared))];
const ratio = last.median / first.median;
console.log(`\n${organizations} organizations, two reports of ${megabytes} MB each, min / median / max`);
console.log(`  all           ${shown(spread(figures))} ms`);
console.log(`  first ${compared}       ${shown(first)} ms`);
console.log(`  last ${compared}        ${shown(last)} ms`);
console.log(`  last / first  ${ratio.toFixed(2)}   (limit: ${bar})`);
process.exitCode = ratio <= bar ? 0 : 1;
