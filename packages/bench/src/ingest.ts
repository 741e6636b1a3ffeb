import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.ts';
import { longestBlock, measureEventLoop } from './event-loop.ts';
import { copyFloor, parseFloor, storedFloor } from './floor.ts';
import { fillSegments } from './log-segments.ts';
import { peakMemory, resetPeak, startProduct } from './product.ts';
import { rowVersions } from './row-versions.ts';
import { largeReport } from './sample-report.ts';
import { shown, spread } from './statistics.ts';
import { ingest, remove } from './upload.ts';

/** Issue 15, rows 1 and 3. */
const bars = {
  ratio: 2,
  /** MiB of the worker above idle. */
  memory: 150,
  /** Milliseconds for which an event loop runs nothing else. */
  blocked: { worker: 100, api: 50 },
  /** The same file again, compared with the first time. */
  again: 1,
};
/** Objects a second that DefectDojo publishes for importing an unchanged report again. */
const published = 504;
const idleMs = 5000;

/**
 * Time from the acknowledgement of an upload to the end of its extraction, compared with the minimum for any
 * implementation: JSON.parse of the file and COPY of the same rows. Then the same file again, unchanged. Whole product
 * with default settings, one api, one worker, and a log whose segments are used again; the floors are measured in the same
 * run, after one warm-up run.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);
const folder = await mkdtemp('/tmp/riskboard-bench-');
const report = await largeReport(folder);
const product = await startProduct({}, { imports: [measureEventLoop] });
const { children, pids, admin } = product;
const figures = {
  parse: [] as number[],
  copy: [] as number[],
  upload: [] as number[],
  extracted: [] as number[],
  ratio: [] as number[],
  memory: [] as number[],
  worker: [] as number[],
  api: [] as number[],
  again: [] as number[],
  againRatio: [] as number[],
  stored: [] as number[],
  perSecond: [] as number[],
};
let rows = 0;
const changed = new Set<string>();
console.log(conditions());
try {
  await fillSegments(admin);
  await sleep(idleMs);
  resetPeak(pids.worker);
  const idle = peakMemory(pids.worker);
  for (let run = -1; run < runs; run += 1) {
    const name = `bench-${run}.json`;
    await Promise.all([longestBlock(children.worker), longestBlock(children.api)]);
    const first = await ingest(product, report.file, name);
    const [worker, api] = await Promise.all([longestBlock(children.worker), longestBlock(children.api)]);
    const floor = await copyFloor(admin, first.fileId);
    const before = await rowVersions(admin);
    const again = await ingest(product, report.file, name);
    for (const [table, versions] of await rowVersions(admin))
      if (versions !== before.get(table)) changed.add(table);
    const stored = await storedFloor(product, first.fileId);
    const parse = parseFloor(report.file);
    await remove(product, first.fileId);
    figures.memory.push(peakMemory(pids.worker) - idle);
    if (run < 0) continue;
    rows = floor.rows;
    figures.parse.push(parse);
    figures.copy.push(floor.ms);
    figures.upload.push(first.uploadMs);
    figures.extracted.push(first.extractedMs);
    const ratio = first.extractedMs / (parse + floor.ms);
    figures.ratio.push(ratio);
    figures.worker.push(worker);
    figures.api.push(api);
    figures.again.push(again.extractedMs);
    figures.againRatio.push(again.extractedMs / first.extractedMs);
    figures.stored.push(stored);
    figures.perSecond.push((first.parsed.objects * 1000) / (again.uploadMs + again.extractedMs));
    const { created, skipped } = first.extracted;
    console.log(
      `run ${run + 1}: ${first.parsed.objects} objects, ${created} created, ${skipped} skipped, ratio ${ratio.toFixed(2)}; again: ${again.extracted.created} created, ${again.extracted.updated} updated`,
    );
  }
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
const of = (name: keyof typeof figures) => spread(figures[name]);
console.log(`\n${report.name}, ${runs} runs, min / median / max; ${conditions()}`);
console.log(`  JSON.parse of the text            ${shown(of('parse'))} ms`);
console.log(`  COPY of the same ${rows} rows     ${shown(of('copy'))} ms`);
console.log(`  upload until acknowledged         ${shown(of('upload'))} ms`);
console.log(`  acknowledged until extracted      ${shown(of('extracted'))} ms`);
console.log(`  extracted / (parse + COPY)        ${shown(of('ratio'), 2)}   (limit: ${bars.ratio})`);
console.log(`  worker above idle                 ${shown(of('memory'))} MiB   (limit: ${bars.memory})`);
for (const name of ['worker', 'api'] as const)
  console.log(
    `  event loop of the ${name.padEnd(6)} blocked  ${shown(of(name))} ms   (limit: ${bars.blocked[name]})`,
  );
console.log(`  the same file again               ${shown(of('again'))} ms`);
console.log(`  reading and hashing stored bytes  ${shown(of('stored'))} ms`);
console.log(`  again / first time                ${shown(of('againRatio'), 2)}   (limit: ${bars.again})`);
console.log(`  tables with changed row versions  ${[...changed].join(', ') || 'none'}   (limit: none)`);
console.log(
  `  again, with upload                ${shown(of('perSecond'))} objects/s (DefectDojo publishes ${published})`,
);
const isWithin =
  of('ratio').median <= bars.ratio &&
  of('memory').max <= bars.memory &&
  of('worker').max <= bars.blocked.worker &&
  of('api').max <= bars.blocked.api &&
  of('againRatio').median <= bars.again &&
  changed.size === 0;
process.exitCode = isWithin ? 0 : 1;
