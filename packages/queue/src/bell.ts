import { type JobKind, jobKinds } from '@riskboard/contract';

/** "There is work": all that the queue knows of a job. Its state is the row's (design, rule 3). */
export interface Bell {
  /** Id of the job row, and so of the BullMQ job: a bell that waits or runs is never there twice. */
  id: string;
  kind: JobKind;
  organizationId: string;
}

/** A bell as it is rung; `delayMs` holds it back. */
export interface RungBell extends Bell {
  delayMs?: number;
}

/** What lies in the backend; `v` grows when a worker of the version before could not read it. */
export interface BellPayload extends Bell {
  v: number;
}

export const payloadVersion = 1;
/** Bytes; ids and a kind need about 200. */
export const payloadMaxBytes = 1024;

export function toPayload({ id, kind, organizationId }: Bell): BellPayload {
  return { v: payloadVersion, id, kind, organizationId };
}

/**
 * @returns undefined for a payload that this build does not know: another version, or a kind added later.
 * It belongs to a newer worker of a rolling deployment.
 */
export function fromPayload({ v, id, kind, organizationId }: BellPayload): Bell | undefined {
  const known = v === payloadVersion && Object.hasOwn(jobKinds, kind);
  return known ? { id, kind, organizationId } : undefined;
}
