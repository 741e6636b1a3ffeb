import { createHash, randomFillSync } from 'node:crypto';
import { v7, validate, version } from 'uuid';

const idBytes = 16;
/** Random bytes for many ids: a call of the operating system for each takes most of its time. */
const random = Buffer.alloc(256 * idBytes);
let used = random.length;

function nextRandom(): Buffer {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += idBytes;
  return random.subarray(used - idBytes, used);
}

let milliseconds = 0;
let sequence = 0;

/** A new UUIDv7, which sorts after those that this process created before (RFC 9562, 5.7 and 6.2, method 1). */
export function newId(): string {
  const bytes = nextRandom();
  const now = Date.now();
  if (now > milliseconds) {
    milliseconds = now;
    // Half of the 32 bits, so that many ids may follow within the millisecond.
    sequence = bytes.readUInt32BE(0) >>> 1;
  } else sequence += 1;
  return v7({ msecs: milliseconds, seq: sequence, random: bytes });
}

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

const day = 86_400_000;

/**
 * The id of what a client creates under a key: the same one for each repeat, and another one for each other owner, so
 * that a key is of use to its owner only.
 * @returns undefined unless the key is a UUIDv7 of the last 30 days; the clock of the client may be a day ahead
 */
export function idOfKey(key: string, owner: readonly string[]): string | undefined {
  if (!validate(key) || version(key) !== 7) return undefined;
  const msecs = timeOf(key);
  const age = Date.now() - msecs;
  if (age < -day || age > 30 * day) return undefined;
  const text = [key.toLowerCase(), ...owner].join(' ');
  return v7({ msecs, random: createHash('sha256').update(text).digest() });
}

/** Creates ids that sort after this one, whose process may have a clock that is ahead; each after the one before. */
export function idsAfter(newest: string | undefined): () => string {
  let last = newest ?? '';
  return () => {
    const id = newId();
    last = id > last ? id : v7({ msecs: timeOf(last) + 1 });
    return last;
  };
}
