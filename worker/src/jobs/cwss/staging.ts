import {
  calculatedScore,
  type CalculatedScore,
  type KnownWeaknesses,
  loadFacts,
  loadWeaknesses,
  lockScored,
  type OrganizationTransaction,
  type SavedScores,
  saveScores,
  type ScoreOrigin,
  scoreRows,
  type ScoringVignette,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';

/** Vulnerabilities in memory at once. */
export const batchSize = 2000;

/** Selected vulnerabilities with the numbers after one and up to another. */
interface Batch {
  after: number;
  upTo: number;
}

/** The weaknesses of all selected vulnerabilities: the catalogue is read once. */
export async function weaknessesOfSelected(trx: OrganizationTransaction): Promise<KnownWeaknesses> {
  const { rows } = await sql<{ text: string }>`
    select distinct unnest(v.cwe) as text from cwss_selected s
    join vulnerability v on v.organization_id = current_organization() and v.id = s.id`.execute(trx);
  return loadWeaknesses(
    trx,
    rows.map(({ text }) => text),
  );
}

/** Creates the temporary table of calculated scores; a batch is named by its last number. */
export async function openStaging(trx: OrganizationTransaction): Promise<void> {
  await sql`
    create temporary table cwss_staged (
      batch integer, id uuid, revision integer, score numeric, raw numeric, vector text, inputs text
    ) on commit drop`.execute(trx);
}

/** When all scores are staged. */
export async function closeStaging(trx: OrganizationTransaction): Promise<void> {
  await sql`create index on cwss_staged (batch)`.execute(trx);
  await sql`analyze cwss_staged (batch, id)`.execute(trx);
}

const stagedOf = ({ upTo }: Batch): RawBuilder<unknown> => sql`(
  select id, revision, score, raw, vector, inputs from cwss_staged where batch = ${upTo})`;

export interface Calculating {
  vignette: ScoringVignette;
  known: KnownWeaknesses;
}

/** @returns the catalogue that the scores were calculated with */
async function calculate(
  trx: OrganizationTransaction,
  ids: readonly string[],
  { vignette, known }: Calculating,
): Promise<{ catalogueVersion: string; scores: CalculatedScore[] }> {
  const { catalogueVersion, rows } = await loadFacts(trx, ids, known);
  return { catalogueVersion, scores: rows.map((row) => calculatedScore(row, vignette)) };
}

/** Calculates the scores of a batch. @returns the catalogue that they were calculated with */
export async function stageBatch(
  trx: OrganizationTransaction,
  batch: Batch,
  calculating: Calculating,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from cwss_selected where n > ${batch.after} and n <= ${batch.upTo} order by n`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const { catalogueVersion, scores } = await calculate(trx, ids, calculating);
  await sql`
    insert into cwss_staged (batch, id, revision, score, raw, vector, inputs)
    select ${batch.upTo}::integer, s.* from ${scoreRows(scores)} as s (id, revision, score, raw, vector, inputs)`.execute(
    trx,
  );
  return catalogueVersion;
}

/** Calculates the scores of a batch again. */
export async function stageAgain(
  trx: OrganizationTransaction,
  batch: Batch,
  calculating: Calculating,
): Promise<void> {
  await sql`delete from cwss_staged where batch = ${batch.upTo}`.execute(trx);
  await stageBatch(trx, batch, calculating);
}

/**
 * Saves a batch. Scores of vulnerabilities whose facts changed since the batch was calculated are calculated again: their
 * rows are locked, so that no fact can change meanwhile. Callers hold lockAssertions.
 */
export async function saveBatch(
  trx: OrganizationTransaction,
  batch: Batch,
  { calculating, origin }: { calculating: Calculating; origin: ScoreOrigin },
): Promise<SavedScores> {
  const staged = stagedOf(batch);
  const changed = await lockScored(trx, staged);
  if (changed.length > 0) {
    const { scores } = await calculate(trx, changed, calculating);
    await sql`
      update cwss_staged t set revision = s.revision, score = s.score, raw = s.raw, vector = s.vector, inputs = s.inputs
      from ${scoreRows(scores)} as s (id, revision, score, raw, vector, inputs)
      where t.id = s.id and t.batch = ${batch.upTo}`.execute(trx);
  }
  return saveScores(trx, staged, origin);
}
