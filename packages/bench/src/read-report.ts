/**
 * Reads a STIX 2.1 bundle of 46 MB with JSON.parse of the whole text, with a general streaming parser, and with the report
 * reader, which also checks, maps and cleans; then a STIX 1.2 package of 200 MB with bare saxes and with the reader. One
 * process per run, so that their memory is measured separately; the ways alternate. The reader runs with the flags of a
 * worker, and beside the packages that a worker loads: ioredis changes how V8 compiles the methods of strings.
 *
 *     pnpm bench read-report [--xml 200] [--runs 5]
 *
 * Reads ATT&CK from ../shared where it exists, else a file of the same size that it generates.
 */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { readReport } from '@riskboard/worker/stix';
import { JSONParser } from '@streamparser/json';
import { SaxesParser } from 'saxes';
import { conditions } from './conditions.ts';
import { largeReport } from './sample-report.ts';
import { writeXmlSample } from './sample-xml.ts';
import { shown, spread } from './statistics.ts';

/** As the chunks of a stored report. */
const chunkSize = 1 << 20;
/** Issue 15, row 4: of bare saxes. */
const xmlBar = 2;

const chunksOf = (file: string): Readable => createReadStream(file, { highWaterMark: chunkSize });

async function parseWhole(file: string): Promise<number> {
  const { objects } = JSON.parse(await readFile(file, 'utf8')) as { objects: unknown[] };
  return objects.length;
}

async function parseStreaming(file: string): Promise<number> {
  let objects = 0;
  const parser = new JSONParser({ paths: ['$.objects.*'], keepStack: false });
  parser.onValue = () => {
    objects += 1;
  };
  for await (const chunk of chunksOf(file)) parser.write(chunk as Buffer);
  return objects;
}

/** Elements; the texts are only taken. In the pieces of 64 KiB that Node reads by default: larger ones are slower. */
async function parseXml(file: string): Promise<number> {
  let elements = 0;
  let characters = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', () => {
    elements += 1;
  });
  parser.on('text', (text) => {
    characters += text.length;
  });
  for await (const text of createReadStream(file, { encoding: 'utf8' })) parser.write(text as string);
  parser.close();
  return characters > 0 ? elements : 0;
}

async function read(file: string): Promise<number> {
  const sink = { object() {}, record() {}, relation() {}, flush: async () => {} };
  const { objectTotal } = await readReport(() => chunksOf(file), sink, { sha256: '0'.repeat(64) });
  return objectTotal;
}

const runs = {
  'JSON.parse': parseWhole,
  '@streamparser/json': parseStreaming,
  saxes: parseXml,
  readReport: read,
} as const;
type Run = keyof typeof runs;

interface Measure {
  milliseconds: number;
  peakMegabytes: number;
  objects: number;
}

async function measure(run: Run, file: string): Promise<Measure> {
  const start = performance.now();
  const objects = await runs[run](file);
  const milliseconds = performance.now() - start;
  return { milliseconds, peakMegabytes: process.resourceUsage().maxRSS / 1024, objects };
}

/** Prints the figures of each way. @returns how many times the reader took as long as the first way, by medians */
async function compare(
  name: string,
  file: string,
  { ways, rounds }: { ways: Run[]; rounds: number },
): Promise<number> {
  const start = promisify(execFile);
  // Not loaded in the processes that it starts: the floor is the parser alone.
  const { workerHeap } = await import('@riskboard/embedded');
  const asWorker = [...workerHeap, '--import', import.meta.resolve('@riskboard/queue')];
  const found = new Map<Run, Measure[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [way, measures] of found) {
      const flags = way === 'readReport' ? asWorker : [];
      const { stdout } = await start(process.execPath, [...flags, fileURLToPath(import.meta.url), way, file]);
      measures.push(JSON.parse(stdout) as Measure);
    }
  }
  console.log(`\n${name}, ${rounds} runs, min / median / max`);
  const medians = [...found].map(([way, measures]) => {
    const times = spread(measures.map(({ milliseconds }) => milliseconds));
    const peaks = spread(measures.map(({ peakMegabytes }) => peakMegabytes));
    console.log(
      `  ${way.padEnd(20)} ${shown(times)} ms, peak ${shown(peaks)} MiB, ${measures[0]?.objects} objects`,
    );
    return times.median;
  });
  const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 1);
  console.log(`  readReport / ${ways[0]}: ${ratio.toFixed(2)}`);
  return ratio;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { xml: { type: 'string', default: '200' }, runs: { type: 'string', default: '5' } },
  });
  const [megabytes, rounds] = [Number(values.xml), Number(values.runs)];
  console.log(conditions());
  const folder = await mkdtemp('/tmp/riskboard-bench-');
  try {
    const { file, name } = await largeReport(folder);
    await compare(name, file, { ways: ['JSON.parse', '@streamparser/json', 'readReport'], rounds });
    const xml = path.join(folder, 'sample.xml');
    await writeXmlSample(xml, megabytes * 1_000_000);
    const ratio = await compare(`made-up package of ${megabytes} MB of XML`, xml, {
      ways: ['saxes', 'readReport'],
      rounds,
    });
    console.log(`  limit for XML: ${xmlBar}`);
    process.exitCode = ratio <= xmlBar ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [, , name = '', file] = process.argv;
if (name in runs && file !== undefined) console.log(JSON.stringify(await measure(name as Run, file)));
else await main();
