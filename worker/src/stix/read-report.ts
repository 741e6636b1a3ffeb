import { Pacer } from '@riskboard/operation';
import { JsonSyntaxError } from '@riskboard/json';
import { JsonReader } from './json/json-reader.ts';
import { openReport, piecesOf } from './report-bytes.ts';
import type { ReportSink, ReportSummary } from './report-sink.ts';
import { ReportError } from './report-error.ts';
import { ReportWriter } from './report-writer.ts';
import { MalformedXml } from './xml/malformed-xml.ts';
import { XmlReader } from './xml/xml-reader.ts';

export interface ReadOptions {
  /** SHA-256 of the file, hex: names the 1.x constructs that have no id (mapping section 3). */
  sha256: string;
  /** Of the file: only the sentence about a malformed file depends on it. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a STIX report of any size, 1.0 to 2.1, JSON or XML, and passes objects and records to the sink as it reads. Memory
 * does not grow with the file, and the event loop is not blocked.
 *
 * A chunk is no longer used once the next one is requested. A syntax error of JSON opens the file a second time, to count
 * the lines before it.
 *
 * The results are valid only when this returns: an error at the end of a file makes all of it invalid.
 *
 * @param open the file from its start
 * @throws ReportError when the file is malformed, rejected or not STIX
 * @throws the signal's reason once it is aborted
 */
export async function readReport(
  open: () => AsyncIterable<Uint8Array>,
  sink: ReportSink,
  options: ReadOptions,
): Promise<ReportSummary> {
  const { name = '', signal } = options;
  try {
    return await readOnce(open(), sink, options);
  } catch (error) {
    if (error instanceof MalformedXml && /\.json$/iu.test(name)) throw error.ofJsonFile();
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { chunks } = await openReport(open());
    const { line, column } = await error.locate(paced(chunks, new Pacer(signal)));
    throw new ReportError('malformed', error.message, `line ${line}, column ${column}`);
  }
}

async function readOnce(
  chunks: AsyncIterable<Uint8Array>,
  sink: ReportSink,
  { sha256, signal }: ReadOptions,
): Promise<ReportSummary> {
  const pacer = new Pacer(signal);
  const file = await openReport(chunks);
  const writer = new ReportWriter(sink);
  const reader = file.media === 'json' ? new JsonReader(writer) : new XmlReader(writer, sha256, file.head);
  for await (const chunk of file.chunks) {
    for (const piece of piecesOf(chunk)) {
      reader.push(piece);
      await sink.flush();
      await pacer.pauseIfDue();
    }
  }
  const summary = reader.end();
  await sink.flush();
  return summary;
}

/** The pieces of the chunks, with pauses for other work between them. */
async function* paced(chunks: AsyncIterable<Buffer>, pacer: Pacer): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk)) {
      await pacer.pauseIfDue();
      yield piece;
    }
  }
}
