import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { conditions } from './conditions.ts';
import { peakMemory, type Product, resetPeak, startProduct } from './product.ts';
import { largeReport, writeSample } from './sample-report.ts';
import { writeXmlSample } from './sample-xml.ts';
import { shown, spread } from './statistics.ts';
import { ingest, remove } from './upload.ts';

/**
 * Peak memory of api and worker while reports of growing size are imported, JSON and XML; Linux only. The first size of
 * each is the floor of the others. The sizes are imported alternately.
 */
const { values } = parseArgs({
  options: {
    json: { type: 'string', default: '46,500' },
    xml: { type: 'string', default: '46,200' },
    runs: { type: 'string', default: '5' },
  },
});
const runs = Number(values.runs);
/** Issue 15, row 4: of the peak of the smallest report. */
const bar = 1.15;
const processes = ['api', 'worker'] as const;
type Peaks = Record<(typeof processes)[number], number>;

interface Case {
  media: 'json' | 'xml';
  megabytes: number;
  file: string;
  peaks: Peaks[];
}

const peaksOf = (product: Product): Peaks => ({
  api: peakMemory(product.pids.api),
  worker: peakMemory(product.pids.worker),
});

async function writeCase(folder: string, media: Case['media'], megabytes: number): Promise<Case> {
  const file = path.join(folder, `${megabytes}.${media}`);
  const one = { media, megabytes, file, peaks: [] };
  if (media === 'json' && megabytes === 46) return { ...one, file: (await largeReport(folder)).file };
  await (media === 'json' ? writeSample : writeXmlSample)(file, megabytes * 1_000_000);
  return one;
}

async function measure(product: Product, one: Case): Promise<void> {
  for (const name of processes) resetPeak(product.pids[name]);
  const done = await ingest(product, one.file, path.basename(one.file));
  const peaks = peaksOf(product);
  await remove(product, done.fileId);
  one.peaks.push(peaks);
  console.log(
    `${one.megabytes} MB of ${one.media}: api ${peaks.api} MiB, worker ${peaks.worker} MiB; upload ${(done.uploadMs / 1000).toFixed(1)} s, extracted ${(done.extractedMs / 1000).toFixed(1)} s, ${done.parsed.objects} objects, ${done.extracted.created} created`,
  );
}

console.log(conditions());
const folder = await mkdtemp('/tmp/riskboard-bench-');
const product = await startProduct({ UPLOAD_MAX_BYTES: String(1024 ** 3) });
let isMet = true;
try {
  for (const media of ['json', 'xml'] as const) {
    const cases: Case[] = [];
    for (const size of values[media].split(',').filter(Boolean))
      cases.push(await writeCase(folder, media, Number(size)));
    for (let run = 0; run < runs; run += 1) for (const one of cases) await measure(product, one);
    const [first] = cases;
    for (const one of cases) {
      for (const name of processes) {
        const of = (each: Case) => spread(each.peaks.map((peaks) => peaks[name]));
        const ratio = first === undefined ? 1 : of(one).median / of(first).median;
        isMet &&= ratio <= bar;
        console.log(
          `${media} ${String(one.megabytes).padStart(4)} MB  ${name.padEnd(6)} ${shown(of(one))} MiB, ratio ${ratio.toFixed(2)} (limit: ${bar})`,
        );
      }
    }
  }
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = isMet ? 0 : 1;
