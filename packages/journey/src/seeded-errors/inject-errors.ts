// Loaded with --import into the processes of the product: breaks a share of the database transactions and of the queue
// messages, chosen by a seed. SEEDED_ERRORS is {"rate": 0.05, "seed": 1}. Errors begin with the signal SIGUSR2.
import pg from 'pg';
import { replaceOnLoad } from '../support/replace-on-load.ts';
import { seeded } from '../support/seeded.ts';

const { rate, seed } = JSON.parse(process.env['SEEDED_ERRORS'] ?? '{"rate":0,"seed":1}') as {
  rate: number;
  seed: number;
};
const random = seeded(seed);
let isOn = false;
process.on('SIGUSR2', () => (isOn = true));
const strikes = (): boolean => isOn && random() < rate;

/** What happens to a transaction, and at which of its statements. */
const errors = [
  { at: 'statement', effect: 'lost before' },
  { at: 'statement', effect: '40001' },
  { at: 'statement', effect: '57014' },
  { at: 'commit', effect: 'lost before' },
  { at: 'commit', effect: 'lost after' },
  { at: 'commit', effect: '40001' },
] as const;
type SeededError = (typeof errors)[number];

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
const original = pg.Client.prototype.query as unknown as Query;
const planned = new WeakMap<pg.Client, SeededError>();

const lost = (): Error => new Error('Connection terminated unexpectedly');
const endConnection = (client: pg.Client): void => {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
};

const textOf = (given: unknown): string | undefined => {
  if (typeof given === 'string') return given;
  const { text, submit } = given as { text?: unknown; submit?: unknown };
  return typeof text === 'string' && submit === undefined ? text : undefined;
};

/** Raised by the server, so that the transaction is really aborted. */
const raise = (client: pg.Client, code: string): unknown =>
  original.call(client, `do $$ begin raise exception 'seeded error' using errcode = '${code}'; end $$`);

async function breakStatement(client: pg.Client, effect: SeededError['effect'], given: unknown[]) {
  if (effect === 'lost after') {
    await original.apply(client, given);
    endConnection(client);
    throw lost();
  }
  if (effect !== 'lost before') return raise(client, effect);
  endConnection(client);
  throw lost();
}

function query(this: pg.Client, ...given: unknown[]): unknown {
  const text = textOf(given[0]);
  // Callbacks, cursors and COPY are not broken themselves; their transactions are.
  if (text === undefined || given.some((one) => typeof one === 'function'))
    return original.apply(this, given);
  if (/^(?:begin|start transaction)/iu.test(text)) {
    planned.delete(this);
    if (strikes()) planned.set(this, errors[Math.floor(random() * errors.length)] ?? errors[0]);
    return original.apply(this, given);
  }
  const plan = planned.get(this);
  const isCommit = /^commit/iu.test(text);
  if (!plan || /^rollback/iu.test(text) || (plan.at === 'commit') !== isCommit)
    return original.apply(this, given);
  planned.delete(this);
  return breakStatement(this, plan.effect, given);
}
pg.Client.prototype.query = query as typeof pg.Client.prototype.query;

interface MessageJob {
  opts: { jobId: string };
}

/** Adds copies of some messages under other ids, and loses some calls before or after them. */
async function enqueue<T extends MessageJob>(jobs: T[], add: (all: T[]) => Promise<void>): Promise<void> {
  const isLost = strikes();
  if (isLost && random() < 0.5) throw lost();
  const copies = jobs
    .filter(strikes)
    .map((job) => ({ ...job, opts: { ...job.opts, jobId: `${job.opts.jobId}-again` } }));
  await add([...jobs, ...copies]);
  if (isLost) throw lost();
}
Object.assign(globalThis, { seededEnqueue: enqueue });

replaceOnLoad([
  {
    module: '/packages/queue/src/producer.ts',
    from: '({ queue }) => add(queue, jobs)',
    to: '({ queue }) => (globalThis as any).seededEnqueue(jobs, (all: MessageJob[]) => add(queue, all))',
  },
]);
