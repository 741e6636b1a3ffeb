import { formatCount } from '@riskboard/domain';
import { z } from 'zod';
import { CatalogueFault, type CatalogueContent } from '../record.ts';
import { completeCatalogue } from './complete.ts';
import { RestEntries } from './rest-entries.ts';

const Head = z.object({
  ContentVersion: z.string().max(20).optional(),
  ContentDate: z.string().max(40).optional(),
  License: z.string().max(20_000).optional(),
});

/** MITRE's catalogue has about 270,000 values; a million of them need up to 400 MB of memory. */
const mostValues = 1_000_000;

const [quote, backslash, comma, bracket, brace, lineFeed] = Buffer.from('"\\,[{\n');

/**
 * Counts the values before they are parsed: objects, lists and what a comma separates. JSON.parse cannot be interrupted,
 * and ends the process where its memory does not suffice, even in a thread with a limit of its own.
 * @throws CatalogueFault with the line, for too many values
 */
function refuseTooMany(bytes: Uint8Array): void {
  let values = 0;
  let line = 1;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) inString = !inString;
    else if (inString) at += byte === backslash ? 1 : 0;
    else if (byte === lineFeed) line += 1;
    else if (byte === comma || byte === bracket || byte === brace) values += 1;
    if (values > mostValues)
      throw new CatalogueFault(
        `Line ${formatCount(line)}: the JSON has more than ${formatCount(mostValues)} values.`,
      );
  }
}

/** Where a value is, as in Weaknesses[12].Name. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    const position = Number(/at position (\d+)/u.exec(reason)?.[1] ?? text.length);
    let line = 1;
    for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
    throw new CatalogueFault(`Line ${formatCount(line)}: malformed JSON.`, { cause });
  }
}

/**
 * Reads a JSON file with replies of MITRE's CWE REST API or in the compact shape (ContentVersion, Weaknesses).
 * @throws CatalogueFault with the line or the path of the value, and what completeCatalogue throws
 */
export function readCatalogueJson(bytes: Uint8Array, versionOfName: string | undefined): CatalogueContent {
  refuseTooMany(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CatalogueFault('The file is not valid UTF-8.', { cause });
  }
  const value = parse(text);
  if (typeof value !== 'object' || value === null || !('Weaknesses' in value))
    throw new CatalogueFault('The JSON has no Weaknesses: it is no CWE catalogue.');
  const entries = RestEntries.safeParse(value);
  const head = Head.safeParse(value);
  const issue = (head.error ?? entries.error)?.issues[0];
  if (!head.success || !entries.success)
    throw new CatalogueFault(`${pathOf(issue?.path ?? [])}: ${issue?.message ?? 'not readable.'}`);
  const { ContentVersion, ContentDate, License } = head.data;
  return completeCatalogue(
    {
      version: ContentVersion ?? versionOfName,
      date: ContentDate?.slice(0, 10),
      ...(License !== undefined && License.includes('MITRE') && { notice: License }),
    },
    entries.data,
  );
}
