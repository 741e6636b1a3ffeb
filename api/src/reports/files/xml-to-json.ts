import { parentPort, Worker, workerData } from 'node:worker_threads';
import { XMLParser } from 'fast-xml-parser';
import { Failure } from '../../lib/http/failure.ts';

/** Beyond this the JSON form would need gigabytes; the original can still be downloaded. */
export const largestXml = 64 * 1024 * 1024;
const timeoutMs = 60_000;

/**
 * The JSON form of an accepted XML report, for view and download, never for the extraction: attributes as `@name`,
 * every value a string. Made in a thread of its own, because the parser blocks while it works.
 */
export async function xmlToJson(xml: string): Promise<string> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { xml },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error('took too long')), timeoutMs);
  thread.once('message', resolve);
  thread.once('error', reject);
  try {
    return await promise;
  } catch (cause) {
    throw new Failure('invalid', 'This XML has no JSON form; download the original instead.', { cause });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

if (parentPort) {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    htmlEntities: true,
    maxNestedTags: 256,
  });
  const { xml } = workerData as { xml: string };
  parentPort.postMessage(JSON.stringify(parser.parse(xml)));
}
