import { lockAssertions } from '../locks/file-locks.ts';
import { rowLock } from '../locks/row-lock.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { calculatedScore } from './calculated-score.ts';
import { loadFacts } from './load-facts.ts';
import { saveScores, type ScoreOrigin, scoreRows } from './save-scores.ts';
import { loadScoringVignettes } from './scoring-vignette.ts';

interface Calculation extends Pick<ScoreOrigin, 'by' | 'jobId' | 'cause'> {
  vulnerabilityId: string;
  vignetteId: string;
}

/** The outcome of the calculation of one vulnerability. */
export type CalculatedOne =
  | { missing: 'vulnerability' | 'vignette' }
  | {
      missing: null;
      name: string;
      score: number;
      /** Of the vignette. */
      vignette: { name: string; version: number };
      /** Whether a new score was stored: the newest one had other inputs or another result. */
      isChanged: boolean;
    };

/** Calculates and saves the score of one vulnerability with the newest version of a vignette. */
export async function calculateOne(
  trx: OrganizationTransaction,
  { vulnerabilityId, vignetteId, ...origin }: Calculation,
): Promise<CalculatedOne> {
  // A new version of the vignette either is read below or marks the score as stale (markStale).
  await lockAssertions(trx);
  await trx
    .selectFrom('vulnerability')
    .select('id')
    .where('id', '=', vulnerabilityId)
    .modifyEnd(rowLock(trx, { name: 'record', id: vulnerabilityId, mode: 'no key update' }))
    .execute();
  const { catalogueVersion, rows } = await loadFacts(trx, [vulnerabilityId]);
  const [loaded] = rows;
  if (loaded === undefined) return { missing: 'vulnerability' };
  const [vignette] = await loadScoringVignettes(trx, [vignetteId]);
  if (vignette === undefined) return { missing: 'vignette' };
  const score = calculatedScore(loaded, vignette);
  const saved = await saveScores(trx, scoreRows([score]), { vignette, catalogueVersion, ...origin });
  return {
    missing: null,
    name: loaded.name,
    score: score.score,
    vignette: { name: vignette.name, version: vignette.version },
    isChanged: saved.changed.length > 0,
  };
}
