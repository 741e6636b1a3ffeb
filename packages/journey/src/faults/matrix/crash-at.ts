/**
 * Loaded into a process of the product with `--import`, only by the fault tests: kills the process when it next visits the
 * crash point that its parent names in a message, or FAULT_CRASH_AT from its start. FAULT_CLOCK_MS moves the clock of the process.
 */
import { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { type CrashPoint, type CrashPointName, crashPoints } from './crash-points.ts';

const kill = (): void => void process.kill(process.pid, 'SIGKILL');

type Query = (this: object, ...given: unknown[]) => unknown;

const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query;
  const { text } = (query ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : '';
};

let point: CrashPoint | undefined = crashPoints[process.env['FAULT_CRASH_AT'] as CrashPointName];

const prototype = Client.prototype as unknown as { query: Query };
const { query } = prototype;
/** Connections in a transaction, and those whose transaction has had the statement of the crash point. */
const open = new WeakSet();
const marked = new WeakSet();
prototype.query = function killing(...given) {
  const text = textOf(given[0]);
  if (/^\s*(?:begin|start transaction)/iu.test(text)) {
    marked.delete(this);
    open.add(this);
  }
  if (/^\s*(?:commit|rollback\s*$)/iu.test(text)) open.delete(this);
  if (point?.statement?.test(text)) {
    const isTransaction = !open.has(this);
    if (point.when === 'at the statement' || (isTransaction && point.when === 'before commit')) kill();
    if (isTransaction) return (query.apply(this, given) as Promise<unknown>).then(kill);
    marked.add(this);
  }
  if (!/^\s*commit/iu.test(text) || !marked.has(this)) return query.apply(this, given);
  if (point?.when === 'before commit') kill();
  return (query.apply(this, given) as Promise<unknown>).then(kill);
};

const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function killing(this: ServerResponse, ...given: unknown[]) {
  if (point?.reply?.test(this.req.url ?? '')) kill();
  return Reflect.apply(writeHead, this, given) as ServerResponse;
} as typeof writeHead;

process.on('message', (message) => {
  point = crashPoints[(message as { crashAt: CrashPointName }).crashAt];
});

/** Moves `Date` by an offset, as a wrong system clock does. */
function moveClock(offsetMs: number): void {
  const Real = Date;
  class Moved extends Real {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [Real.now() + offsetMs] : given) as [number]));
    }
    static override now(): number {
      return Real.now() + offsetMs;
    }
  }
  globalThis.Date = Moved as DateConstructor;
}

const offsetMs = Number(process.env['FAULT_CLOCK_MS'] ?? 0);
if (offsetMs !== 0) moveClock(offsetMs);
