import { assetHealth, assetRiskScore, isAtRisk } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { isAssetAtRisk, wasAssetAtRisk, wouldAssetBeAtRisk } from './asset-risk.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

interface Row {
  criticality: number | null;
  confidentiality: number | null;
  integrity: number | null;
  availability: number | null;
  threats: number;
  vulnerabilities: number;
  stored: boolean;
  recorded: boolean;
  computed: boolean;
}

const counts = { threats: 'threats', vulnerabilities: 'vulnerabilities' };

it('an asset is at risk in SQL exactly when it is in the domain', async () => {
  const { rows } = await sql<Row>`
    select a.*, ${sql.raw(isAssetAtRisk('a'))} as stored,
      ${sql.raw(wasAssetAtRisk({ score: 'risk_score', ...counts }))} as recorded,
      ${sql.raw(wouldAssetBeAtRisk(counts))} as computed
    from (
      select level.*, threats, vulnerabilities, confidentiality_level as confidentiality, integrity_level as integrity,
        availability_level as availability,
        case when vulnerabilities = 0 and threats = 0 then 'Healthy'
          when vulnerabilities > 3 or threats > 5 then 'Critical' else 'Warning' end as health,
        least(10, round((coalesce(confidentiality_level, 0) + coalesce(integrity_level, 0) + coalesce(availability_level, 0)
          + 0.5 * threats + 0.7 * vulnerabilities + 2 * coalesce(criticality, 0)) / 3.0, 1)) as risk_score
      from (values (null::int, null::int, null::int, null::int), (1, 1, 1, 1), (3, 3, 2, 2), (4, 4, 3, 2), (5, 4, 4, 3), (5, 5, 4, 4))
        level (criticality, confidentiality_level, integrity_level, availability_level)
      cross join generate_series(0, 7) threats cross join generate_series(0, 5) vulnerabilities
    ) a`.execute(database.system);
  expect(rows).toHaveLength(6 * 8 * 6);
  const wrong = rows.filter((row) => {
    const expected = isAtRisk({ health: assetHealth(row), riskScore: assetRiskScore(row) });
    return [row.stored, row.recorded, row.computed].some((one) => one !== expected);
  });
  expect(wrong).toEqual([]);
});
