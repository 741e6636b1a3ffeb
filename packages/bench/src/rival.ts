import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.ts';
import { startProduct } from './product.ts';
import { largeReport } from './sample-report.ts';
import { shown, spread } from './statistics.ts';
import { ingest, remove } from './upload.ts';

/**
 * A report until the end of its extraction, compared with python-stix2, which only parses it into objects in memory. Both
 * read the same file, alternately. The bar is for the time from the acknowledgement, because the text is in memory when
 * python-stix2 begins; the time with the upload is printed beside it. Without python-stix2 the comparison is left out.
 */
const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    file: { type: 'string' },
    runs: { type: 'string', default: '5' },
  },
});
const runs = Number(values.runs);
/** Issue 15: times as fast as the parse alone. */
const bar = 5;

/** Prints the seconds of `parse`, without starting Python and reading the file. */
const parse = `
import sys, time, stix2
text = open(sys.argv[1], encoding='utf-8').read()
started = time.perf_counter()
stix2.parse(text, allow_custom=True)
print(time.perf_counter() - started)`;

const found = spawnSync(values.python, ['-c', 'import stix2; print(stix2.__version__)'], {
  encoding: 'utf8',
});
if (found.status !== 0) {
  console.log(`skipped: python-stix2 is not installed for ${values.python} (--python names another one)`);
  process.exit(0);
}

console.log(conditions());
const folder = await mkdtemp('/tmp/riskboard-bench-');
const report =
  values.file === undefined ? await largeReport(folder) : { file: values.file, name: values.file };
const product = await startProduct();
const times = { uploaded: [] as number[], acknowledged: [] as number[], rival: [] as number[] };
try {
  for (let run = -1; run < runs; run += 1) {
    const done = await ingest(product, report.file, 'rival.json');
    await remove(product, done.fileId);
    if (run < 0) continue;
    times.uploaded.push(done.uploadMs + done.extractedMs);
    times.acknowledged.push(done.extractedMs);
    times.rival.push(
      1000 * Number(execFileSync(values.python, ['-c', parse, report.file], { encoding: 'utf8' })),
    );
  }
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
const timesAsFast = (ours: readonly number[]): number => spread(times.rival).median / spread(ours).median;
const ratio = timesAsFast(times.acknowledged);
console.log(`${report.name}, ${runs} runs, min / median / max`);
console.log(`  acknowledged until extracted           ${shown(spread(times.acknowledged))} ms`);
console.log(`  upload until extracted                 ${shown(spread(times.uploaded))} ms`);
console.log(`  parse of python-stix2 ${found.stdout.trim().padEnd(16)} ${shown(spread(times.rival))} ms`);
console.log(`  times as fast                          ${ratio.toFixed(1)} (at least ${bar})`);
console.log(`  with the upload                        ${timesAsFast(times.uploaded).toFixed(1)}`);
process.exitCode = ratio >= bar ? 0 : 1;
