import { mkdtemp, rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { OrganizationEvent } from '@riskboard/contract';
import { openDatabase } from '@riskboard/db';
import { openRelay } from '@riskboard/queue';
import { type Deps, handlers, runJob } from '@riskboard/worker';
import { conditions } from './conditions.ts';
import { startProduct } from './product.ts';
import { largeReport } from './sample-report.ts';
import { shown, spread } from './statistics.ts';
import { remove, upload } from './upload.ts';

/** Issue 15, row 8: progress events add at most this share to the time of the jobs of a report. */
const bar = 0.02;

/**
 * The jobs of a report, with progress as the worker writes and publishes it, and without: alternately, in this process, on
 * the database and the relay of a product whose api receives the events. A browser is not connected.
 */
const { values } = parseArgs({ options: { pairs: { type: 'string', default: '15' } } });
const folder = await mkdtemp('/tmp/riskboard-bench-');
const report = await largeReport(folder);
const product = await startProduct();
// The api is ready only once there is a worker; here this process runs the jobs.
await product.setWorkers(0);
const database = openDatabase({ url: product.databaseUrl });
const relay = openRelay(
  { databaseUrl: product.databaseUrl, lockMs: 30_000, stallMs: 30_000 },
  { onError: (error) => console.error(error.message) },
);
let events = 0;
const nothing = () => undefined;
const deps: Deps = {
  database,
  producer: { enqueue: async () => undefined, recover: async () => undefined },
  relay: {
    subscribe: (pattern, handler) => relay.subscribe(pattern, handler),
    publish(topic, message) {
      if ((message as OrganizationEvent).type === 'job.updated') events += 1;
      return relay.publish(topic, message);
    },
  },
  log: { info: nothing, warn: nothing, error: console.error } as unknown as Deps['log'],
};
const withoutProgress: typeof handlers = {
  ...handlers,
  'stix.parse': (context) => handlers['stix.parse']({ ...context, progress: nothing }),
  'stix.extract': (context) => handlers['stix.extract']({ ...context, progress: nothing }),
};

interface Message {
  id: string;
  kind: 'stix.parse' | 'stix.extract';
  organizationId: string;
}

/** Milliseconds of both jobs of a report, and how often a job was published. */
async function run(name: string, chosen: typeof handlers): Promise<{ ms: number; events: number }> {
  const { fileId } = await upload(product, report.file, name);
  const { rows } = await product.admin.query<Message>(
    `select id, kind, organization_id as "organizationId" from job where file_id = $1 order by waits_for nulls first`,
    [fileId],
  );
  events = 0;
  const started = performance.now();
  for (const message of rows)
    await runJob(deps, { handlers: chosen, message, shutdown: new AbortController().signal });
  const ms = performance.now() - started;
  const { rows: open } = await product.admin.query(
    `select from job where file_id = $1 and state <> 'succeeded'`,
    [fileId],
  );
  if (rows.length !== 2 || open.length > 0) throw new Error('The jobs have not succeeded');
  const counted = events;
  await remove(product, fileId);
  return { ms, events: counted };
}

const figures = {
  with: [] as number[],
  without: [] as number[],
  shares: [] as number[],
  events: [] as number[],
};
try {
  for (const chosen of [handlers, withoutProgress]) await run('warm-up.json', chosen);
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    // Which one comes first changes, because the second finds the database busy with the deletion of the first.
    const order = pair % 2 === 0 ? [handlers, withoutProgress] : [withoutProgress, handlers];
    const results = new Map<typeof handlers, { ms: number; events: number }>();
    for (const chosen of order) results.set(chosen, await run('bench.json', chosen));
    const [on, off] = [results.get(handlers), results.get(withoutProgress)];
    if (!on || !off) throw new Error('A run is missing');
    figures.with.push(on.ms);
    figures.without.push(off.ms);
    figures.shares.push(on.ms / off.ms - 1);
    figures.events.push(on.events - off.events);
    // A run that is stopped leaves the figures of its pairs.
    console.log(
      `pair ${pair + 1}: with ${on.ms.toFixed(0)} ms, without ${off.ms.toFixed(0)} ms, share ${(on.ms / off.ms - 1).toFixed(3)}`,
    );
  }
} finally {
  await Promise.all([relay.close(), database.close()]);
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
const of = (name: keyof typeof figures) => spread(figures[name]);
const share = of('with').median / of('without').median - 1;
console.log(`${report.name}, ${values.pairs} pairs, min / median / max; ${conditions()}`);
console.log(`  with progress     ${shown(of('with'))} ms, ${shown(of('events'))} progress events`);
console.log(`  without progress  ${shown(of('without'))} ms`);
console.log(`  share of a pair   ${shown(of('shares'), 3)}`);
console.log(`  share of medians  ${share.toFixed(3)}   (limit: ${bar})`);
process.exitCode = of('shares').median <= bar ? 0 : 1;
