import { type Channel, channels, mostMs } from './channels.ts';
import type { Client, Outcome } from './client.ts';
import type { HostileCase, Suite } from './suites.ts';

/** Counts of one suite through one channel. */
export interface Row {
  suite: string;
  channel: string;
  cases: number;
  accepted: number;
  refused: number;
  /** Refused without an error of the contract, or by a job whose message names no location. */
  unclear: number;
  serverErrors: number;
  /** Answered, or failed as a job, after more than 5 s. */
  slow: number;
  slowestMs: number;
}

export interface Finding {
  suite: string;
  channel: string;
  case: string;
  problem: string;
}

/** Inputs sent at the same time. */
const parallel = 4;

const counterOf = {
  accepted: 'accepted',
  refused: 'refused',
  'unclear refusal': 'unclear',
  'server error': 'serverErrors',
} as const satisfies Record<Outcome['kind'], keyof Row>;

const emptyRow = (suite: string, channel: string): Row => ({
  suite,
  channel,
  cases: 0,
  accepted: 0,
  refused: 0,
  unclear: 0,
  serverErrors: 0,
  slow: 0,
  slowestMs: 0,
});

interface Sent extends Outcome {
  ms: number;
}

async function sendOnce(channel: Channel, client: Client, input: HostileCase): Promise<Sent> {
  const started = performance.now();
  try {
    return { ...(await channel.send(client, input)), ms: performance.now() - started };
  } catch (error) {
    // The server closed the connection without an answer.
    const message =
      error instanceof Error
        ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
        : String(error);
    return { kind: 'server error', status: 0, message, body: null, ms: performance.now() - started };
  }
}

/** Sends every case of a suite through every channel that takes it. @returns a row per channel, and what is wrong */
export async function feed(client: Client, suite: Suite): Promise<{ rows: Row[]; findings: Finding[] }> {
  const rows = new Map(channels.map(({ name }) => [name, emptyRow(suite.name, name)]));
  const findings: Finding[] = [];
  const running = new Set<Promise<void>>();

  async function one(channel: Channel, input: HostileCase): Promise<void> {
    const { kind, message, status, ms } = await sendOnce(channel, client, input);
    const row = rows.get(channel.name);
    if (!row) return;
    row.cases += 1;
    row[counterOf[kind]] += 1;
    row.slowestMs = Math.max(row.slowestMs, Math.round(ms));
    if (ms > mostMs) row.slow += 1;
    if (kind === 'accepted' || kind === 'refused') return;
    findings.push({
      suite: suite.name,
      channel: channel.name,
      case: input.name,
      problem: `${kind} ${status}: ${message}`,
    });
  }

  for await (const input of suite.cases()) {
    for (const channel of channels) {
      if (!channel.takes(input)) continue;
      const sent = one(channel, input);
      const tracked = sent.finally(() => running.delete(tracked));
      running.add(tracked);
      if (running.size >= parallel) await Promise.race(running);
    }
  }
  await Promise.all(running);
  return { rows: [...rows.values()].filter(({ cases }) => cases > 0), findings };
}

const columns = [
  'suite',
  'channel',
  'cases',
  'accepted',
  'refused',
  'unclear',
  'serverErrors',
  'slow',
  'slowestMs',
] as const;
const titles: Partial<Record<(typeof columns)[number], string>> = {
  serverErrors: '5xx',
  slow: '> 5 s',
  slowestMs: 'slowest ms',
};

/** The rows as a table of text. */
export function table(rows: readonly Row[]): string {
  const cells = [
    columns.map((name) => titles[name] ?? name),
    ...rows.map((row) => columns.map((name) => String(row[name]))),
  ];
  const widths = columns.map((_, n) => Math.max(...cells.map((line) => line[n]?.length ?? 0)));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, n) => (n < 2 ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0)))
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}
