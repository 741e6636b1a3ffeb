import { type ChangedEvent, idsShown, type ServerMessage } from '@riskboard/contract';

/** An event for the sockets of an organization, encoded once for all of them. */
export interface LiveEvent {
  /** Of two waiting events with the same key one remains, merged. */
  key: string;
  message: LiveMessage;
  data: Buffer;
}

/** Everything but what a stream begins with. */
export type LiveMessage = Exclude<ServerMessage, { type: 'hello' | 'snapshot' }>;

let unknownEvents = 0;

/** A job, or changes of one kind by one account. An event of a newer version is merged with no other. */
function keyOf(message: LiveMessage): string {
  if (message.type === 'job.updated') return `job ${message.job._id}`;
  if (message.type === 'metrics.updated') return message.type;
  if ('action' in message) return `${message.type} ${message.action} ${message.by}`;
  unknownEvents += 1;
  return `unknown ${unknownEvents}`;
}

export const liveEvent = (message: LiveMessage): LiveEvent => ({
  key: keyOf(message),
  message,
  data: Buffer.from(JSON.stringify(message)),
});

/** Of a job the newest state; of changes their sum; of numbers the later ones. Both have the same key. */
function merged(earlier: LiveMessage, later: LiveMessage): LiveMessage {
  if (earlier.type === 'job.updated' && later.type === 'job.updated')
    return later.job.version < earlier.job.version ? earlier : later;
  return isChange(earlier) && isChange(later) ? sum(earlier, later) : later;
}

const isChange = (message: LiveMessage): message is ChangedEvent => 'action' in message;

function sum(earlier: ChangedEvent, later: ChangedEvent): ChangedEvent {
  const { ids: _ids, ...change } = later;
  const all = earlier.ids && later.ids ? new Set([...earlier.ids, ...later.ids]) : undefined;
  if (all === undefined || all.size > idsShown) return { ...change, count: earlier.count + later.count };
  // Without ids that name each row, a row that changed twice counts twice.
  return { ...change, ids: [...all], count: all.size };
}

/** Events that wait, the newest of each key, in the order of their last change. */
export class WaitingEvents {
  readonly #events = new Map<string, Omit<LiveEvent, 'data'> & { data: Buffer | undefined; bytes: number }>();
  #bytes = 0;

  /** Bytes that sending all takes, approximately. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#events.size === 0;
  }

  add({ key, message, data }: LiveEvent): void {
    const earlier = this.#events.get(key);
    const bytes = data.length;
    if (earlier === undefined) this.#events.set(key, { key, message, data, bytes });
    else {
      const one = merged(earlier.message, message);
      this.#events.delete(key);
      this.#events.set(key, { key, message: one, data: one === message ? data : undefined, bytes });
    }
    this.#bytes += bytes - (earlier?.bytes ?? 0);
  }

  /** Removes and returns the oldest. */
  take(): LiveEvent | undefined {
    const [first] = this.#events.values();
    if (first === undefined) return undefined;
    this.#events.delete(first.key);
    this.#bytes -= first.bytes;
    const { key, message, data = Buffer.from(JSON.stringify(message)) } = first;
    return { key, message, data };
  }

  clear(): void {
    this.#events.clear();
    this.#bytes = 0;
  }
}
