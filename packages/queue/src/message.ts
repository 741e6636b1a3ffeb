import { type JobKind, jobKinds } from '@riskboard/contract';

/** Says that a job row has work to do: all that the queue knows of a job. The job row holds its state. */
export interface QueueMessage {
  /** Id of the job row and of the BullMQ job, so a message that waits or runs is never in the queue twice. */
  id: string;
  kind: JobKind;
  organizationId: string;
}

/** A message to enqueue, delivered after `delayMs`. */
export interface OutgoingMessage extends QueueMessage {
  delayMs?: number;
  /** Messages with a lower number are delivered first, equal ones in their order; 1 to 2,097,152. Absent: at once. */
  order?: number;
}

/** The stored form of a message. `v` increases when workers of the previous version could not read it. */
export interface MessagePayload extends QueueMessage {
  v: number;
}

export const payloadVersion = 1;
/** In bytes; ids and a kind need about 200. */
export const payloadMaxBytes = 1024;

export function toPayload({ id, kind, organizationId }: QueueMessage): MessagePayload {
  return { v: payloadVersion, id, kind, organizationId };
}

/**
 * @returns undefined for a payload that this build does not know: another version or a newer job kind, from a newer
 * process of a rolling deployment
 */
export function fromPayload({ v, id, kind, organizationId }: MessagePayload): QueueMessage | undefined {
  const known = v === payloadVersion && Object.hasOwn(jobKinds, kind);
  return known ? { id, kind, organizationId } : undefined;
}
