import { catalogueFacts, type CatalogueEntry, type CatalogueFacts } from '@riskboard/domain';
import type { OrganizationTransaction } from '../with-organization.ts';

export interface OrganizationFacts {
  /** Names the catalogue of the organization, as in 'CWE 4.15'. */
  catalogueVersion: string;
  /** By number; every requested number has an entry. */
  weaknesses: Map<number, CatalogueFacts>;
}

/**
 * What the catalogue of the current organization states about weaknesses, for scores. One query for any number of ids.
 * @param ids numbers of CWEs, see cweNumber
 */
export async function weaknessFacts(
  trx: OrganizationTransaction,
  ids: readonly number[],
): Promise<OrganizationFacts> {
  const rows = await trx.selectFrom('cwe').select(['id', 'name', 'data', 'source']).execute();
  const entries = new Map(
    rows.map(({ id, name, data }): [number, CatalogueEntry] => [
      id,
      {
        kind: data.Abstraction === 'Category' ? 'category' : 'weakness',
        name,
        status: data.Status,
        likelihood: data.Likelihood,
        impacts: [...new Set(data.Consequences.flatMap(({ Impact }) => Impact))],
        parents: data.Weaknesses.filter(({ Nature }) => Nature === 'ChildOf').map(({ ID }) => Number(ID)),
      },
    ]),
  );
  const catalogueVersion = rows.find(({ source }) => source !== 'CWE REST API')?.source ?? '';
  return {
    catalogueVersion,
    weaknesses: new Map(ids.map((id) => [id, catalogueFacts(id, entries, catalogueVersion)])),
  };
}
