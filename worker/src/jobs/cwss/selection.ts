import {
  loadScoringVignettes,
  type OrganizationTransaction,
  type ScoringVignette,
  selected,
  vulnerabilitySource,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { JobContext } from '../run/context.ts';
import { existedAtRequest } from '../records/existed-at-request.ts';
import { JobFailure } from '../run/failures.ts';

type Context = JobContext<'cwss.calculate'>;

/** Selected vulnerabilities that one vignette is applied to: those with the numbers after one and up to another. */
export interface Group {
  vignette: ScoringVignette;
  after: number;
  upTo: number;
}

export type Skipped = { reason: string; count: number }[];

/** Why a requested vulnerability has no new score. */
export const skipReasons = {
  deleted: 'no longer exists',
  created: 'created after the request',
  withoutScore: 'has no score',
  withoutVignette: 'the vignette was deleted',
  otherVignette: 'calculated with another vignette meanwhile',
} as const;

export interface Selection {
  /** Selected vulnerabilities; they are in the temporary table `cwss_selected`, numbered from 1 without gaps. */
  total: number;
  groups: Group[];
  /** Requested vulnerabilities that are not selected. */
  skipped: Skipped;
}

export const vignetteDeleted = () =>
  new JobFailure('vignette_deleted', 'The vignette was deleted before the scores were calculated.');

/**
 * Selects the vulnerabilities of a job.
 * @throws JobFailure when the vignette was deleted since the request
 */
export async function selectVulnerabilities(
  trx: OrganizationTransaction,
  context: Context,
): Promise<Selection> {
  await sql`create temporary table cwss_selected (n integer, id uuid, vignette_id uuid) on commit drop`.execute(
    trx,
  );
  const skipped = await selectRequested(trx, context);
  await sql`create unique index on cwss_selected (n)`.execute(trx);
  await sql`analyze cwss_selected`.execute(trx);
  const { rows } = await sql<{ id: string; first: number; last: number }>`
    select vignette_id as id, min(n) as first, max(n) as last from cwss_selected group by 1 order by 2`.execute(
    trx,
  );
  const vignettes = await loadScoringVignettes(
    trx,
    rows.map(({ id }) => id),
  );
  const byId = new Map(vignettes.map((vignette) => [vignette.id, vignette]));
  return {
    total: rows.at(-1)?.last ?? 0,
    groups: rows.map(({ id, first, last }) => {
      const vignette = byId.get(id);
      if (vignette === undefined) throw vignetteDeleted();
      return { vignette, after: first - 1, upTo: last };
    }),
    skipped,
  };
}

/** How the vignette of each selected vulnerability is found. */
interface Vignettes {
  /** Joins what the columns need to the list of vulnerabilities. */
  join: RawBuilder<unknown>;
  /** Whether a vulnerability without a vignette had one that was deleted. */
  isScored: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
}

/** @throws JobFailure when the vignette does not exist */
async function oneVignette(trx: OrganizationTransaction, id: string): Promise<Vignettes> {
  const [vignette] = await loadScoringVignettes(trx, [id]);
  if (vignette === undefined) throw vignetteDeleted();
  return { join: sql``, isScored: sql`true`, id: sql`${id}::uuid` };
}

const vignettesOfScores: Vignettes = {
  join: sql`
    join vulnerability own on own.organization_id = r.organization_id and own.id = r.id
    left join vignette v on v.organization_id = own.organization_id and v.id = own.cwss_vignette_id`,
  isScored: sql`own.cwss_vignette_id is not null`,
  id: sql`v.id`,
};

/**
 * Selects the requested vulnerabilities with the vignette of the request or else that of their newest score. Rows that were
 * created after the request are not part of it; a job for stale scores selects those of its start.
 */
async function selectRequested(trx: OrganizationTransaction, context: Context): Promise<Skipped> {
  const { ids, filter, stale, vignetteId } = context.payload;
  const vignettes = vignetteId === undefined ? vignettesOfScores : await oneVignette(trx, vignetteId);
  const [requested, existed] = stale
    ? [sql`r.organization_id = current_organization() and r.cwss_state = 'stale'`, sql`true`]
    : [selected(vulnerabilitySource, { ids, filter }), existedAtRequest(vulnerabilitySource, context)];
  const { rows } = await sql<{ existing: number; created: number; unscored: number; orphaned: number }>`
    with requested as materialized (
      select r.id, ${vignettes.id} as vignette_id, ${vignettes.isScored} as is_scored, ${existed} as existed
      from ${sql.raw(vulnerabilitySource.from)} ${vignettes.join} where ${requested}
    ), chosen as (
      insert into cwss_selected (n, id, vignette_id)
      select row_number() over (order by vignette_id, id), id, vignette_id
      from requested where existed and vignette_id is not null
    )
    select count(*)::int as existing, count(*) filter (where not existed)::int as created,
      count(*) filter (where existed and not is_scored)::int as unscored,
      count(*) filter (where existed and is_scored and vignette_id is null)::int as orphaned
    from requested`.execute(trx);
  const { existing = 0, created = 0, unscored = 0, orphaned = 0 } = rows[0] ?? {};
  return [
    { reason: skipReasons.deleted, count: ids === undefined ? 0 : new Set(ids).size - existing },
    { reason: skipReasons.created, count: created },
    { reason: skipReasons.withoutScore, count: unscored },
    { reason: skipReasons.withoutVignette, count: orphaned },
  ];
}
