import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableMemory } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../lib/http/failure.ts';

/** Beyond this the JSON form would need gigabytes; the original can still be downloaded. */
export const largestXml = 64 * 1024 * 1024;

/** Milliseconds to convert a file, and to send its JSON form. */
const convertWithinMs = 60_000;
const sendWithinMs = 5 * 60_000;

/** MiB of the process that converts: half of what is available, as far as it may have. */
const memory = { least: 128, most: 1024, share: 0.5 } as const;

const program = fileURLToPath(new URL('xml-to-json-process.ts', import.meta.url));

/** Without the environment, which has the secrets of the product. */
function start(): ChildProcess & { stdin: NodeJS.WritableStream; stdout: Readable } {
  const free = (availableMemory() / 1024 / 1024) * memory.share;
  const heap = Math.round(Math.min(memory.most, Math.max(memory.least, free)));
  return spawn(process.execPath, [`--max-old-space-size=${heap}`, program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
}

/** The JSON form of a report, which a process holds in memory until it was sent. */
export interface JsonForm {
  /** Ends early when the process was ended; destroy it when it is no longer read. */
  content: Readable;
  /** Whether the process ended after it had written everything. */
  ended: Promise<boolean>;
}

/**
 * The JSON form of an accepted XML report, for view and download, never for the extraction: attributes as `@name`,
 * every value a string. Made in a process of its own, because a file can need more memory than there is: that ends the
 * process which exceeds it, also if it is only a thread that does.
 * @throws Failure 422, and what reading the XML throws
 */
export async function xmlToJson(xml: AsyncIterable<string>): Promise<JsonForm> {
  const child = start();
  const { stdin, stdout } = child;
  const ended = once(child, 'close').then(([code]) => code === 0);
  const end = () => child.kill('SIGKILL');
  let timer = setTimeout(end, convertWithinMs);
  void ended.then(() => clearTimeout(timer));
  stdout.once('close', end);
  /** What reading the XML threw. A process that ended early is known by its missing answer. */
  let broken: unknown;
  const sent = pipeline(
    readable(xml, (error) => (broken = error)),
    stdin,
  ).catch(end);
  // The process writes once it has the whole form.
  await Promise.all([sent, once(stdout, 'readable')]);
  if (broken !== undefined) throw broken;
  if (stdout.readableLength === 0)
    throw new Failure('invalid', 'This XML has no JSON form; download the original instead.');
  clearTimeout(timer);
  timer = setTimeout(end, sendWithinMs);
  return { content: stdout, ended };
}

/** @param onError receives what the source throws */
function readable(source: AsyncIterable<string>, onError: (error: unknown) => void): Readable {
  async function* parts(): AsyncGenerator<string> {
    try {
      yield* source;
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  return Readable.from(parts());
}
