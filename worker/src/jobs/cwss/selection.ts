import {
  loadScoringVignettes,
  type OrganizationTransaction,
  type ScoringVignette,
  selected,
  vulnerabilitySource,
} from '@riskboard/db';
import { sql } from 'kysely';
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
  withoutVignette: 'the vignette was deleted',
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
  const { vignetteId } = context.payload;
  const skipped =
    vignetteId === undefined ? await selectStale(trx) : await selectRequested(trx, context, vignetteId);
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

/** Every stale score, with the vignette that it was calculated with. */
async function selectStale(trx: OrganizationTransaction): Promise<Skipped> {
  const stale = sql`
    from vulnerability r
    left join vignette v on v.organization_id = r.organization_id and v.id = r.cwss_vignette_id
    where r.organization_id = current_organization() and r.cwss_state = 'stale'`;
  await sql`
    insert into cwss_selected (n, id, vignette_id)
    select row_number() over (order by v.id, r.id), r.id, v.id ${stale} and v.id is not null`.execute(trx);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${stale} and v.id is null`.execute(trx);
  return [{ reason: skipReasons.withoutVignette, count: rows[0]?.n ?? 0 }];
}

/** Rows that were created after the request are not part of it. */
async function selectRequested(
  trx: OrganizationTransaction,
  context: Context,
  vignetteId: string,
): Promise<Skipped> {
  const { ids, filter } = context.payload;
  const [vignette] = await loadScoringVignettes(trx, [vignetteId]);
  if (vignette === undefined) throw vignetteDeleted();
  const requested = selected(vulnerabilitySource, { ids, filter });
  const from = sql.raw(vulnerabilitySource.from);
  await sql`
    insert into cwss_selected (n, id, vignette_id)
    select row_number() over (order by r.id), r.id, ${vignetteId}::uuid from ${from}
    where ${requested} and ${existedAtRequest(vulnerabilitySource, context)}`.execute(trx);
  const { rows } = await sql<{ existing: number; chosen: number }>`
    select (select count(*)::int from ${from} where ${requested}) as existing,
      (select count(*)::int from cwss_selected) as chosen`.execute(trx);
  const { existing, chosen } = rows[0] ?? { existing: 0, chosen: 0 };
  return [
    { reason: skipReasons.deleted, count: ids === undefined ? 0 : new Set(ids).size - existing },
    { reason: skipReasons.created, count: existing - chosen },
  ];
}
