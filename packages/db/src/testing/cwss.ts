import type { ScorecardCell } from '@riskboard/domain';
import { newId } from '../new-id.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Inserts of an organization that is scored; each returns the new id. */
export const cwssFixtures = (organizationId: string) => {
  const common = { organization_id: organizationId };
  const content = (name: string, scorecard: readonly ScorecardCell[]): string =>
    JSON.stringify({ name, scorecardName: name, scorecard });
  return {
    async vignette(trx: OrganizationTransaction, name: string, scorecard: readonly ScorecardCell[]) {
      const id = newId();
      await trx
        .insertInto('vignette')
        .values({ ...common, id, name, scorecard_name: name, rated_cells: scorecard.length })
        .execute();
      await trx
        .insertInto('vignette_version')
        .values({ ...common, vignette_id: id, version: 1, content: content(name, scorecard) })
        .execute();
      return id;
    },

    async nextVersion(trx: OrganizationTransaction, id: string, scorecard: readonly ScorecardCell[]) {
      const { name, version } = await trx
        .updateTable('vignette')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .returning(['name', 'version'])
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('vignette_version')
        .values({ ...common, vignette_id: id, version, content: content(name, scorecard) })
        .execute();
    },

    async vulnerability(trx: OrganizationTransaction, values: { cwe?: string[]; cve_id?: string } = {}) {
      const id = newId();
      const { cwe = ['CWE-79'], cve_id = 'CVE-2024-12345' } = values;
      await trx
        .insertInto('vulnerability')
        .values({ ...common, id, name: `Vulnerability ${id}`, cwe, cve_id })
        .execute();
      return id;
    },

    async project(trx: OrganizationTransaction) {
      const id = newId();
      await trx
        .insertInto('project')
        .values({ ...common, id, name: `Project ${id}`, start_date: '2026-01-01' })
        .execute();
      return id;
    },

    async asset(
      trx: OrganizationTransaction,
      { project, criticality }: { project: string; criticality: number | null },
    ) {
      const id = newId();
      await trx
        .insertInto('asset')
        .values({
          ...common,
          id,
          project_id: project,
          name: `Asset ${id.slice(-4)}`,
          asset_type_id: 1,
          criticality,
        })
        .execute();
      return id;
    },
  };
};

/** A scorecard that rates the impacts of CWE-79. */
export const scorecardOf = (subscore: number): ScorecardCell[] => [
  { impact: 'Read data', layer: 'Application', subscore, notes: 'Personal data' },
];
