import type {
  JobKind,
  JobPayload,
  JobProgress,
  JobResult,
  OrganizationEvent,
  PhaseOf,
} from '@riskboard/contract';
import type { JobRow, OrganizationTransaction } from '@riskboard/db';
import type { Deps } from '../../deps.ts';

/** What a job's handler is given. */
export interface JobContext<K extends JobKind> {
  deps: Deps;
  organizationId: string;
  job: JobRow;
  payload: JobPayload<K>;
  /** Aborted when the job is cancelled, deleted or taken over, and when the worker shuts down. */
  signal: AbortSignal;
  /** Only phases that the contract declares for the kind compile. */
  progress(progress: JobProgress & { phase: PhaseOf<K> }): void;
  /** Writes no more progress: to be called before the transaction of the results locks the job. */
  stopProgress(): Promise<void>;
  /**
   * Ends the job as succeeded inside the transaction of its results: both or neither.
   * @throws Superseded when another run owns the job by now; the transaction must roll back.
   */
  finish(trx: OrganizationTransaction, result: JobResult<K>): Promise<void>;
}

/** Does the work, calls `finish` in its last transaction, and returns the events to publish after the commit. */
export type JobHandler<K extends JobKind> = (context: JobContext<K>) => Promise<OrganizationEvent[]>;

/** One handler for each kind: a missing one does not compile. */
export type JobHandlers = { [K in JobKind]: JobHandler<K> };
