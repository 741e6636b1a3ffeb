/**
 * Reads a 46 MB STIX 2.1 bundle with JSON.parse of the whole text, with a general streaming parser, and with the report
 * reader, which also checks, maps and cleans. One process per run, so that their memory is measured separately.
 *
 *     node packages/bench/src/read-report.ts
 *
 * Reads ATT&CK from ../shared where it exists, else a file of the same size that it generates.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readReport } from '@riskboard/worker/stix';
import { JSONParser } from '@streamparser/json';

const attack = resolve(
  import.meta.dirname,
  '../../../../shared/data/stix/attack/enterprise-attack-18.1.stix21.json',
);
const rounds = 5;
const syntheticSize = 46_000_000;
const chunkSize = 1 << 20;

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

async function read(file: string): Promise<number> {
  const sink = { object() {}, record() {}, relation() {}, flush: async () => {} };
  const { objectTotal } = await readReport(chunksOf(file), sink, { sha256: '0'.repeat(64) });
  return objectTotal;
}

const runs = { 'JSON.parse': parseWhole, '@streamparser/json': parseStreaming, readReport: read } as const;
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

/** Objects like those of ATT&CK: one technique, then relationships with a paragraph each. */
async function writeSynthetic(file: string): Promise<void> {
  const object = (index: number): string => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const type = index % 20 === 0 ? 'attack-pattern' : 'relationship';
    const description = 'Adversaries may do one thing or another, and often do. '.repeat(24);
    const times = { created: '2024-01-01T00:00:00.000Z', modified: '2024-01-02T00:00:00.000Z' };
    return JSON.stringify(
      { type, id: `${type}--${id}`, spec_version: '2.1', ...times, name: id, description },
      null,
      2,
    );
  };
  function* content(): Generator<string> {
    yield '{"type":"bundle","id":"bundle--00000000-0000-4000-8000-000000000000","objects":[';
    for (let size = 0, index = 0; size < syntheticSize; index += 1) {
      const text = (index === 0 ? '' : ',\n') + object(index);
      size += text.length;
      yield text;
    }
    yield ']}';
  }
  await pipeline(Readable.from(content()), createWriteStream(file));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function compare(file: string): Promise<void> {
  const run = promisify(execFile);
  const found = new Map<string, Measure[]>(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measures] of found) {
      const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url), name, file]);
      measures.push(JSON.parse(stdout) as Measure);
    }
  }
  const floor = median((found.get('JSON.parse') ?? []).map(({ milliseconds }) => milliseconds));
  const rows = [...found].map(([name, measures]) => {
    const time = median(measures.map(({ milliseconds }) => milliseconds));
    const peak = median(measures.map(({ peakMegabytes }) => peakMegabytes));
    const ratio = (time / floor).toFixed(2);
    return {
      name,
      ms: Math.round(time),
      'x JSON.parse': ratio,
      'peak RSS MB': Math.round(peak),
      objects: measures[0]?.objects,
    };
  });
  console.table(rows);
}

async function main(): Promise<void> {
  if (existsSync(attack)) return compare(attack);
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-bench-'));
  const file = join(folder, 'synthetic.json');
  try {
    await writeSynthetic(file);
    await compare(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [, , name, file] = process.argv;
if (name !== undefined && name in runs && file !== undefined) {
  console.log(JSON.stringify(await measure(name as Run, file)));
} else await main();
