import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableMemory } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../lib/http/failure.ts';

/** Beyond this the JSON form would need gigabytes; the original can still be downloaded. */
export const largestXml = 64 * 1024 * 1024;

/** Milliseconds to convert a file, and to read its JSON form. */
const convertWithinMs = 60_000;
const readWithinMs = 60_000;

/** MiB of the heap of the process that converts: half of what is available, as far as it may have. */
const memory = { least: 128, most: 1024, share: 0.5 } as const;

/** The answer to XML that needs more than there is. */
export const tooLarge = (): Failure =>
  new Failure('too_large', 'This XML is too large to show as JSON; download the original instead.');

const program = fileURLToPath(new URL('xml-to-json-process.ts', import.meta.url));

/** Without the environment, which has the secrets of the product. */
function start(): ChildProcess & { stdin: NodeJS.WritableStream; stdout: Readable } {
  const free = (availableMemory() / 1024 / 1024) * memory.share;
  const heap = Math.round(Math.min(memory.most, Math.max(memory.least, free)));
  // By default the young generation takes up to 100 MiB more than this limit: with 190 MiB of heap the process has up to 300.
  return spawn(process.execPath, [`--max-old-space-size=${heap}`, '--max-semi-space-size=1', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
}

/** The JSON form of a report, which a process holds in memory until it was read. */
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
 * @throws Failure 422; 413 when it needs too much memory or time; what reading the XML or starting the process throws
 */
export async function xmlToJson(xml: AsyncIterable<string>): Promise<JsonForm> {
  const child = start();
  const { stdin, stdout } = child;
  // A process that was not started closes too, with an error.
  const exit = once(child, 'close').then(
    ([code]) => code as number | null,
    () => null,
  );
  const ended = exit.then((code) => code === 0);
  await once(child, 'spawn');
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
  if (stdout.readableLength === 0) throw withoutForm(await exit);
  clearTimeout(timer);
  // The process is not closed before what it wrote was read, which a stalled reader does not do.
  timer = setTimeout(() => stdout.destroy(), readWithinMs);
  return { content: stdout, ended };
}

/** A process without memory or time left is ended by a signal, and one that throws ends with 1. */
const withoutForm = (exitCode: number | null): Failure =>
  exitCode === 1
    ? new Failure('invalid', 'This XML has no JSON form; download the original instead.')
    : tooLarge();

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
