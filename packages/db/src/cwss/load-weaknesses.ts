import type { WeaknessFacts } from '@riskboard/domain';
import { sql } from 'kysely';
import type { CweData } from '../cwe/record.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

interface CatalogueRow {
  id: number;
  name: string;
  data: Omit<CweData, 'Name'>;
  source: string;
}

const numberOf = (cwe: string): number => Number(/^CWE-0*([1-9]\d{0,8})$/iu.exec(cwe)?.[1] ?? 0);

/** What the catalogue states about each of these texts, by text. */
export async function loadWeaknesses(
  trx: OrganizationTransaction,
  texts: readonly string[],
): Promise<{ catalogueVersion: string; weaknesses: ReadonlyMap<string, WeaknessFacts> }> {
  const numbers = [...new Set(texts.map(numberOf))];
  const { rows } = await sql<CatalogueRow>`
    select id, name, data, source from cwe where id = any (${numbers}::integer[])`.execute(trx);
  const version = await sql<{ source: string }>`select source from cwe order by id limit 1`.execute(trx);
  const byNumber = new Map(rows.map((row) => [row.id, row]));
  const factsOf = (cwe: string): WeaknessFacts => {
    const row = byNumber.get(numberOf(cwe));
    return {
      cwe,
      name: row?.name ?? '',
      likelihood: row?.data.Likelihood ?? '',
      impacts: [...new Set(row?.data.Consequences.flatMap(({ Impact }) => Impact))],
      inheritedFrom: null,
      note: row ? '' : `${cwe} is not in the catalogue.`,
    };
  };
  return {
    catalogueVersion: version.rows[0]?.source ?? '',
    weaknesses: new Map(texts.map((text) => [text, factsOf(text)])),
  };
}
