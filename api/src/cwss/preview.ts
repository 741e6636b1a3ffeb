import type { CwssResult } from '@riskboard/contract';
import { loadFacts, loadScoringVignettes, type OrganizationTransaction } from '@riskboard/db';
import { cwssFormulaVersion, rateFacts } from '@riskboard/domain';
import { Failure } from '../lib/http/failure.ts';
import { presentResult } from './present.ts';

/** The score that the newest version of a vignette would give now. @throws Failure 404 */
export async function previewScore(
  trx: OrganizationTransaction,
  { id, vignetteId }: { id: string; vignetteId: string },
): Promise<CwssResult> {
  // The ids of the answers are those of the database, in lower case.
  const { catalogueVersion, rows } = await loadFacts(trx, [id.toLowerCase()]);
  const [vignette] = await loadScoringVignettes(trx, [vignetteId]);
  const [loaded] = rows;
  if (loaded === undefined || vignette === undefined) throw new Failure('not_found');
  return presentResult(rateFacts(loaded.facts, vignette.scorecard), {
    vignetteId: vignette.id,
    vignetteName: vignette.name,
    vignetteVersion: vignette.version,
    catalogueVersion,
    formulaVersion: cwssFormulaVersion,
  });
}
