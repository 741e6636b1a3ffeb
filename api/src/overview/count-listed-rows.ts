import { assetListSchemas, threatListSchemas, vulnerabilityListSchemas } from '@riskboard/contract/schemas';
import {
  assetSource,
  count,
  type ListSource,
  type OrganizationTransaction,
  type PageInput,
  threatSource,
  vulnerabilitySource,
  whereOf,
} from '@riskboard/db';
import type { PresentedCause } from '@riskboard/domain';

interface ListOfCause {
  readonly source: ListSource;
  readonly query: { parse(values: unknown): PageInput };
}

const lists: Readonly<Record<string, ListOfCause>> = {
  vulnerabilities: { source: vulnerabilitySource, query: vulnerabilityListSchemas.query },
  threats: { source: threatSource, query: threatListSchemas.query },
  assets: { source: assetSource, query: assetListSchemas.query },
};

/** Rows that a link opens, as its list counts them; null for a page that is not a list of records. */
async function countListed(trx: OrganizationTransaction, link: string): Promise<number | null> {
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  const list = lists[pathname.split('/').at(-1) ?? ''];
  if (list === undefined) return null;
  const names = [...new Set(searchParams.keys())];
  const values = Object.fromEntries(
    names.map((name) => {
      const all = searchParams.getAll(name);
      return [name, all.length > 1 ? all : all[0]];
    }),
  );
  return count(trx, list.source, whereOf(list.source, list.query.parse(values)));
}

/** Adds how many rows the link of each cause opens; a list without rows is no link. */
export async function countListedRows(
  trx: OrganizationTransaction,
  causes: readonly PresentedCause[],
): Promise<(PresentedCause & { listed: number | null })[]> {
  const counted: (PresentedCause & { listed: number | null })[] = [];
  for (const cause of causes) {
    const listed = cause.query === null ? null : await countListed(trx, cause.query);
    counted.push({ ...cause, listed, query: listed === 0 ? null : cause.query });
  }
  return counted;
}
