export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

const marks = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

/**
 * Whether bytes are zero (0) or not (1) in the first two characters of a file without a byte order mark: both are ASCII in
 * JSON and in XML. A single NUL somewhere does not have these patterns.
 */
const patterns = [
  ['utf-32le', '10001000'],
  ['utf-32be', '00010001'],
  ['utf-16le', '1010'],
  ['utf-16be', '0101'],
] as const;

/** The encoding of a file by its first bytes, and the length of its byte order mark. */
export function encodingOf(head: Uint8Array): { encoding: Encoding; mark: number } {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return { encoding: marked[0], mark: marked[1].length };
  const zeros = [...head.subarray(0, 8)].map((byte) => (byte === 0 ? '0' : '1')).join('');
  const found = patterns.find(([, pattern]) => zeros.startsWith(pattern));
  return { encoding: found?.[0] ?? 'utf-8', mark: 0 };
}
