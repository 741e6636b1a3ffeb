import type { JobPayload } from '@riskboard/contract';
import { insertJob, newId, type OrganizationTransaction } from '@riskboard/db';
import type { ScorecardCell } from '@riskboard/domain';
import { sql } from 'kysely';
import type { TestHarness } from './test-harness.ts';

/** A scorecard that rates an impact of CWE-79. */
export const scorecardOf = (subscore: number): ScorecardCell[] => [
  { impact: 'Read data', layer: 'Application', subscore, notes: 'Personal data' },
];

/** Vignettes, vulnerabilities and calculations of an organization. */
export const cwssHarness = (harness: TestHarness) => {
  const { organizationId, inside } = harness;
  const common = { organization_id: organizationId };
  const storeVersion = (
    trx: OrganizationTransaction,
    { id, name, version, subscore }: { id: string; name: string; version: number; subscore: number },
  ) =>
    trx
      .insertInto('vignette_version')
      .values({
        ...common,
        vignette_id: id,
        version,
        content: JSON.stringify({ name, scorecard: scorecardOf(subscore) }),
      })
      .execute();
  return {
    /** @returns the id */
    vignette: (name: string, subscore: number): Promise<string> =>
      inside(async (trx) => {
        const id = newId();
        await trx
          .insertInto('vignette')
          .values({ ...common, id, name, scorecard_name: name, rated_cells: 1 })
          .execute();
        await storeVersion(trx, { id, name, version: 1, subscore });
        return id;
      }),

    async nextVersion(trx: OrganizationTransaction, id: string, subscore: number): Promise<void> {
      const { name, version } = await trx
        .updateTable('vignette')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .returning(['name', 'version'])
        .executeTakeFirstOrThrow();
      await storeVersion(trx, { id, name, version, subscore });
    },

    /** @returns the ids, in their order */
    vulnerabilities: (count: number): Promise<string[]> =>
      inside(async (trx) => {
        const ids = Array.from({ length: count }, () => newId()).toSorted();
        await sql`
          insert into vulnerability (organization_id, id, name, cve_id, cwe, cvss_vector, created_at)
          select ${organizationId}, id, 'Vulnerability ' || n, 'CVE-2024-' || 10000 + n, '{CWE-79}',
            'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', now() - interval '1 day'
          from unnest(${ids}::uuid[]) with ordinality as row (id, n)`.execute(trx);
        return ids;
      }),

    /** @returns the id of the job */
    request: (payload: JobPayload<'cwss.calculate'>, vulnerabilityId?: string): Promise<string> =>
      inside((trx) =>
        insertJob(trx, {
          kind: 'cwss.calculate',
          payload,
          organizationId,
          ...(vulnerabilityId !== undefined && { vulnerabilityId }),
        }),
      ),

    rows: () => inside((trx) => trx.selectFrom('vulnerability').selectAll().orderBy('id').execute()),

    scores: () =>
      inside((trx) =>
        trx.selectFrom('cwss_score').selectAll().orderBy('vulnerability_id').orderBy('version').execute(),
      ),
  };
};
