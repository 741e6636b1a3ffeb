import { countValues, formatCount } from '@riskboard/domain';
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

/** The line of an offset in a text, from 1; without a list of all lines. */
function lineAt(text: string, offset: number): string {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return formatCount(line);
}

/** @throws CatalogueFault with the line, for too many values */
function refuseTooMany(text: string): void {
  const { count, end } = countValues(text, mostValues);
  if (count <= mostValues) return;
  throw new CatalogueFault(
    `Line ${lineAt(text, end)}: the JSON has more than ${formatCount(mostValues)} values.`,
  );
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
    throw new CatalogueFault(`Line ${lineAt(text, position)}: malformed JSON.`, { cause });
  }
}

/**
 * Reads a JSON file with replies of MITRE's CWE REST API or in the compact shape (ContentVersion, Weaknesses).
 * @throws CatalogueFault with the line or the path of the value, and what completeCatalogue throws
 */
export function readCatalogueJson(bytes: Uint8Array, versionOfName: string | undefined): CatalogueContent {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CatalogueFault('The file is not valid UTF-8.', { cause });
  }
  refuseTooMany(text);
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
