import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { peakMemory, type Product, resetPeak, startProduct } from './product.ts';
import { largeReport, writeSample } from './sample-report.ts';
import { ingest, remove } from './upload.ts';

/** Issue 1: limit above idle in MiB, for any size of report. */
const bar = 250;
const processes = ['api', 'worker'] as const;

const peaks = (product: Product) => processes.map((name) => peakMemory(product.pids[name]));

/** Peak memory of api and worker above idle while a report is imported; Linux only. */
const folder = await mkdtemp('/tmp/riskboard-bench-');
const big = path.join(folder, 'big.json');
await writeSample(big, 500_000_000);
const large = await largeReport(folder);
const product = await startProduct({ UPLOAD_MAX_BYTES: String(1024 ** 3) });
let worst = 0;
try {
  for (const name of processes) resetPeak(product.pids[name]);
  const idle = peaks(product);
  console.log(`idle                      api ${idle[0]} MiB, worker ${idle[1]} MiB`);
  for (const { file, name } of [large, { file: big, name: 'made-up report of 500 MB' }]) {
    for (const process of processes) resetPeak(product.pids[process]);
    const done = await ingest(product, file, path.basename(file));
    const above = peaks(product).map((peak, i) => peak - (idle[i] ?? 0));
    worst = Math.max(worst, ...above);
    console.log(
      `${name}: api +${above[0]} MiB, worker +${above[1]} MiB above idle; upload ${(done.uploadMs / 1000).toFixed(1)} s, extracted ${(done.extractedMs / 1000).toFixed(1)} s, ${done.parsed.objects} objects, ${done.extracted.created} created`,
    );
    await remove(product, done.fileId);
  }
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(`worst +${worst} MiB (limit: ${bar})`);
process.exitCode = worst <= bar ? 0 : 1;
