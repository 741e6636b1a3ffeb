import { type CwssExplanation, type CwssStaleReason, cwssStaleReasons } from '@riskboard/contract';
import type { OrganizationTransaction, Schema } from '@riskboard/db';
import { cwssOrder, cwssScoreChanges, type CwssFactor, type StoredCwssScore } from '@riskboard/domain';
import { type Selectable, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import { presentResult } from './present.ts';

/** Entries of the history in one reply. */
const mostEntries = 100;

type ScoreRow = Selectable<Schema['cwss_score']> & { by: string; vignette_exists: boolean };
type Overrides = CwssExplanation['overrides'];

/**
 * The current name of the person in a column. A former member has the name of their newest activity on the
 * vulnerability, because accounts of other organizations are not visible. Empty without a person.
 */
const nameOf = (
  column: 's.actor' | 's.set_by',
) => sql<string>`case when ${sql.ref(column)} is null then '' else coalesce(
  (select nullif(trim(c.first_name || ' ' || c.last_name), '') from account c where c.id = ${sql.ref(column)}),
  (select split_part(a.actor, ' <', 1) from activity a
    where a.organization_id = s.organization_id and a.noun_id = s.vulnerability_id and a.account_id = ${sql.ref(column)}
    order by a.at desc limit 1),
  'Former member') end`;

const scoresOf = (trx: OrganizationTransaction, id: string) =>
  trx
    .selectFrom('cwss_score as s')
    .leftJoin('vignette as v', (join) =>
      join.onRef('v.organization_id', '=', 's.organization_id').onRef('v.id', '=', 's.vignette_id'),
    )
    .selectAll('s')
    .select([nameOf('s.actor').as('by'), sql<boolean>`v.id is not null`.as('vignette_exists')])
    .where('s.vulnerability_id', '=', id);

/** Scores of a vulnerability, newest first: one more than the history shows, so that its oldest entry can be compared. */
const newestScores = (trx: OrganizationTransaction, id: string): Promise<ScoreRow[]> =>
  scoresOf(trx, id)
    .orderBy('s.version', 'desc')
    .limit(mostEntries + 1)
    .execute();

/** @throws Failure 404 */
const scoreOfVersion = (trx: OrganizationTransaction, id: string, version: number): Promise<ScoreRow> =>
  scoresOf(trx, id)
    .where('s.version', '=', version)
    .executeTakeFirstOrThrow(() => new Failure('not_found'));

/** The factors that analysts set, in the order of the standard. */
export async function overridesOf(trx: OrganizationTransaction, id: string): Promise<Overrides> {
  const rows = await trx
    .selectFrom('cwss_override as s')
    .selectAll('s')
    .select(nameOf('s.set_by').as('by'))
    .where('s.vulnerability_id', '=', id)
    .execute();
  const byFactor = new Map(rows.map((row) => [row.factor, row]));
  const entries = cwssOrder.flatMap((factor): [CwssFactor, NonNullable<Overrides[CwssFactor]>][] => {
    const row = byFactor.get(factor);
    if (row === undefined) return [];
    const { code, weight, reason, by, set_at } = row;
    return [[factor, { value: code, weight, reason, by, at: set_at.toISOString() }]];
  });
  return Object.fromEntries(entries);
}

const storedScore = (row: ScoreRow): StoredCwssScore => ({
  vector: row.vector,
  vignetteId: row.vignette_id,
  vignetteName: row.vignette_name,
  vignetteVersion: row.vignette_version,
  catalogueVersion: row.catalogue_version,
  formulaVersion: row.formula_version,
  inputs: row.inputs,
});

function historyEntry(row: ScoreRow, former: ScoreRow | undefined): CwssExplanation['history'][number] {
  return {
    version: row.version,
    at: row.at.toISOString(),
    by: row.by,
    cause: row.cause,
    score: row.score,
    vector: row.vector,
    vignetteId: row.vignette_id,
    vignetteName: row.vignette_name,
    vignetteVersion: row.vignette_version,
    changes: former ? cwssScoreChanges(storedScore(former), storedScore(row)) : [],
  };
}

const isReason = (code: string): code is CwssStaleReason => Object.hasOwn(cwssStaleReasons, code);

const presentReasons = (codes: readonly string[]): CwssExplanation['staleReasons'] =>
  codes.filter(isReason).map((code) => ({ code, reason: cwssStaleReasons[code] }));

/**
 * How a score of a vulnerability came about, from what was stored with it. Only the newest score can be stale; overrides
 * are those of now.
 * @param version an earlier score; absent: the newest
 * @throws Failure 404 for an unknown vulnerability or version, and before the first calculation
 */
export async function explainScore(
  trx: OrganizationTransaction,
  { id, version }: { id: string; version?: number | undefined },
): Promise<CwssExplanation> {
  const { cwss_stale: stale } = await trx
    .selectFrom('vulnerability')
    .select('cwss_stale')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Failure('not_found'));
  const scores = await newestScores(trx, id);
  const [newest] = scores;
  if (newest === undefined) throw new Failure('not_found');
  const shown = scores.find((row) => row.version === (version ?? newest.version));
  const row = shown ?? (await scoreOfVersion(trx, id, version ?? newest.version));
  const { vignetteId, vignetteName, vignetteVersion, catalogueVersion, formulaVersion, inputs } =
    storedScore(row);
  const staleReasons = row === newest ? presentReasons(stale) : [];
  return {
    ...presentResult(inputs, { vignetteId, vignetteName, vignetteVersion, catalogueVersion, formulaVersion }),
    score: row.score,
    raw: row.raw,
    vector: row.vector,
    version: row.version,
    calculatedAt: row.at.toISOString(),
    calculatedBy: row.by,
    cause: row.cause,
    vignetteExists: row.vignette_exists,
    stale: staleReasons.length > 0,
    staleReasons,
    overrides: await overridesOf(trx, id),
    history: scores.slice(0, mostEntries).map((one, at) => historyEntry(one, scores[at + 1])),
  };
}
