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
    const line = text.slice(0, position).split('\n').length;
    throw new CatalogueFault(`Line ${formatCount(line)}: malformed JSON.`, { cause });
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
