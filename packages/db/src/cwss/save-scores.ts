import type { cwssCauses } from '@riskboard/contract';
import { cwssFormulaVersion } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { manyRecordsLock } from '../locks/row-lock.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { CalculatedScore } from './calculated-score.ts';
import type { ScoringVignette } from './scoring-vignette.ts';

/** What a score names in addition to its inputs. */
export interface ScoreOrigin {
  vignette: Pick<ScoringVignette, 'id' | 'name' | 'version'>;
  catalogueVersion: string;
  /** Null when it is recalculated automatically. */
  by: string | null;
  jobId: string | null;
  cause: (typeof cwssCauses)[number];
  /** Leaves out vulnerabilities whose newest score has another vignette. */
  onlySameVignette?: boolean;
}

export interface SavedScores {
  /** Vulnerabilities with a new score. */
  changed: string[];
  /** Those whose newest score has the same inputs and result. */
  unchanged: string[];
  /** Number of those that were left out because their newest score has another vignette. */
  otherVignette: number;
}

/** Texts without line breaks as an array: PostgreSQL reads it several times as fast as an array with quoted JSON. */
const lines = (texts: readonly string[]): RawBuilder<unknown> =>
  sql`string_to_array(${texts.join('\n')}, chr(10))`;

/** Calculated scores as rows with the columns id, revision, score, raw, vector and inputs. */
export const scoreRows = (scores: readonly CalculatedScore[]): RawBuilder<unknown> => sql`unnest(
  ${scores.map(({ id }) => id)}::uuid[], ${scores.map(({ revision }) => revision)}::integer[],
  ${scores.map(({ score }) => score)}::numeric[], ${scores.map(({ raw }) => String(raw))}::numeric[],
  ${lines(scores.map(({ vector }) => vector))}, ${lines(scores.map(({ inputs }) => inputs))}
)`;

/**
 * Locks the vulnerabilities of calculated scores. Callers hold lockAssertions. No fact of these vulnerabilities changes
 * from here on: every change of a fact writes the row of the vulnerability (migration 0026).
 * @param scores rows with the columns of `scoreRows`
 * @returns those whose facts changed since they were loaded
 */
export async function lockScored(
  trx: OrganizationTransaction,
  scores: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    with locked as materialized (
      select v.id, v.cwss_inputs <> s.revision as is_changed
      from ${scores} as s (id, revision, score, raw, vector, inputs)
      cross join lateral (
        select id, cwss_inputs from vulnerability
        where organization_id = current_organization() and id = s.id offset 0
        ${manyRecordsLock(trx, 'no key update')}
      ) v
    )
    select array(select id from locked where is_changed) as ids`.execute(trx);
  return rows[0]?.ids ?? [];
}

/**
 * Saves calculated scores of vulnerabilities that the transaction has locked; one whose facts changed since is left out.
 * A score that equals the newest one stores no row, but it is no longer stale. The version and the time of change of a
 * vulnerability stay as they are. Subqueries with `offset 0` are looked up in the primary key for each score: joined
 * as tables, PostgreSQL reads all vulnerabilities of the organization for each batch (decision 0020).
 * @param scores rows with the columns of `scoreRows`
 */
export async function saveScores(
  trx: OrganizationTransaction,
  scores: RawBuilder<unknown>,
  { vignette, catalogueVersion, by, jobId, cause, onlySameVignette = false }: ScoreOrigin,
): Promise<SavedScores> {
  const { rows } = await sql<SavedScores>`
    with loaded as materialized (
      select s.id, s.score, s.raw, s.vector, s.inputs::jsonb as inputs, v.cwss_version as former, newest.version is not null as is_same,
        newest.version is null or v.cwss_stale <> '{}' or v.applied_vignette <> ${vignette.name} as is_written,
        ${onlySameVignette} and v.cwss_vignette_id is distinct from ${vignette.id}::uuid as is_other
      from ${scores} as s (id, revision, score, raw, vector, inputs)
      cross join lateral (
        select id, cwss_version, cwss_inputs, cwss_stale, applied_vignette, cwss_vignette_id from vulnerability
        where organization_id = current_organization() and id = s.id offset 0
      ) v
      left join lateral (
        select score, vector, version, inputs from cwss_score
        where organization_id = current_organization() and vulnerability_id = v.id and version = v.cwss_version
          and vignette_id = ${vignette.id} and vignette_version = ${vignette.version}
          and catalogue_version = ${catalogueVersion} and formula_version = ${cwssFormulaVersion} offset 0
      ) newest on newest.score = s.score and newest.vector = s.vector and newest.inputs = s.inputs::jsonb
      where v.cwss_inputs = s.revision
    ), calculated as (
      select * from loaded where not is_other
    ), stored as (
      insert into cwss_score (organization_id, vulnerability_id, version, actor, job_id, cause, score, raw, vector,
        vignette_id, vignette_name, vignette_version, catalogue_version, formula_version, inputs)
      select current_organization(), id, former + 1, ${by}::uuid, ${jobId}::uuid, ${cause}, score, raw, vector,
        ${vignette.id}::uuid, ${vignette.name}, ${vignette.version}::integer, ${catalogueVersion}, ${cwssFormulaVersion},
        inputs
      from calculated where not is_same
    ), written as (
      update vulnerability v set cwss_score = c.score, applied_vignette = ${vignette.name},
        cwss_vignette_id = ${vignette.id}::uuid, cwss_stale = '{}',
        cwss_version = c.former + case when c.is_same then 0 else 1 end
      from calculated c
      where v.organization_id = current_organization() and v.id = c.id and c.is_written
    )
    select array(select id from calculated where not is_same) as changed,
      array(select id from calculated where is_same) as unchanged,
      (select count(*)::int from loaded where is_other) as "otherVignette"`.execute(trx);
  return rows[0] ?? { changed: [], unchanged: [], otherVignette: 0 };
}
