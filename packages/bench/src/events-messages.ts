import type { Job } from '@riskboard/contract';
import type { QueueConfig } from '@riskboard/queue';

/** What a plain server of the benchmark `events` is started with. */
export interface FloorOptions {
  queue: QueueConfig;
  organizationId: string;
}

export type Side = 'product' | 'floor';

/** What the process of the clients is given. */
export type Request =
  /** Opens as many sockets of a side as are missing to `count`, alternating between the addresses. */
  | { type: 'open'; side: Side; count: number; addresses: readonly string[]; tokens: readonly string[] }
  /** Reports the latencies since the last report. */
  | { type: 'report'; side: Side }
  /** Breaks `count` sockets of the product at once and opens them again. */
  | { type: 'reconnect'; count: number }
  /** Reports how many jobs the worst client knows in their final version, and how many clients were closed. */
  | { type: 'state'; version: number };

/** Milliseconds of the machine's monotonic clock, the same for all processes; `performance.timeOrigin` differs between them. */
export const clock = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

/** An event of the size that progress has. `version` and the time of sending are in it. */
export const progressEvent = (id: string, version: number): { type: 'job.updated'; job: Job } => ({
  type: 'job.updated',
  job: {
    _id: id,
    kind: 'stix.parse',
    state: 'running',
    progress: { phase: 'reading', done: version, total: Math.round(clock() * 1000) },
    fileId: id,
    attempt: 1,
    version,
    createdAt: '2026-11-24T12:00:00.000Z',
    startedAt: '2026-11-24T12:00:01.000Z',
    finishedAt: null,
    createdBy: id,
  } as unknown as Job,
});
