import { setImmediate as yieldToRequests } from 'node:timers/promises';
import {
  type Call,
  mostMoves,
  mostPreviewed,
  type VignettePreview,
  type vignettes,
} from '@riskboard/contract';
import {
  createFairSlots,
  type Database,
  loadFacts,
  type LoadedFacts,
  type OrganizationTransaction,
  withOrganization,
} from '@riskboard/db';
import { ranksOf, type ScorecardCell, scorecardComparison, type ScorecardMove } from '@riskboard/domain';
import { sql } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { findVignette } from './present.ts';
import { readVignetteBody } from './read-file.ts';

/** Calculated before other requests are served. */
const batchSize = 250;

/** An editor requests a preview with each change, so one organization calculates one preview at a time. */
const slots = createFairSlots({ total: 2, perKey: 1, waiting: 20 });

interface Loaded {
  vulnerabilities: number;
  rows: LoadedFacts[];
  /** Empty for a new vignette. */
  former: readonly ScorecardCell[];
}

/** @throws Failure 404 for a vignette that does not exist */
async function load(trx: OrganizationTransaction, vignetteId: string | undefined): Promise<Loaded> {
  const former = vignetteId === undefined ? [] : (await findVignette(trx, vignetteId)).content.scorecard;
  const { rows } = await sql<{ total: number; ids: string[] }>`
    select (select count(*)::int from vulnerability where organization_id = current_organization()) as total,
      array(select id from vulnerability where organization_id = current_organization()
        order by severity desc nulls last, id desc limit ${mostPreviewed}) as ids`.execute(trx);
  const { total = 0, ids = [] } = rows[0] ?? {};
  return { vulnerabilities: total, rows: (await loadFacts(trx, ids)).rows, former };
}

async function compareAll(
  { rows, former }: Loaded,
  scorecard: readonly ScorecardCell[],
): Promise<ScorecardMove[]> {
  const compare = scorecardComparison(former, scorecard);
  const moves: ScorecardMove[] = [];
  for (const [index, { facts }] of rows.entries()) {
    if (index > 0 && index % batchSize === 0) await yieldToRequests();
    moves.push(compare(facts));
  }
  return moves;
}

/** With one decimal; null without scores. */
const meanOf = (scores: readonly number[]): number | null =>
  scores.length === 0
    ? null
    : Math.round((scores.reduce((sum, one) => sum + one, 0) / scores.length) * 10) / 10;

function summarize({ vulnerabilities, rows }: Loaded, compared: readonly ScorecardMove[]): VignettePreview {
  const scoresBefore = compared.map(({ before }) => before);
  const scoresAfter = compared.map(({ after }) => after);
  const [ranksBefore, ranksAfter] = [ranksOf(scoresBefore), ranksOf(scoresAfter)];
  const higher = compared.filter(({ before, after }) => after > before).length;
  const lower = compared.filter(({ before, after }) => after < before).length;
  const distance = ({ before, after }: ScorecardMove): number => Math.abs(after - before);
  const moved = rows
    .flatMap(({ id, name, facts }, index) => {
      const move = compared[index];
      if (move === undefined || move.before === move.after) return [];
      const ranks = { rankBefore: ranksBefore[index] ?? 0, rankAfter: ranksAfter[index] ?? 0 };
      const cwe = facts.weaknesses.map((weakness) => weakness.cwe);
      return [{ _id: id, name, cveId: facts.cveId, cwe, ...move, ...ranks }];
    })
    .toSorted((a, b) => distance(b) - distance(a) || b.after - a.after || (a._id < b._id ? 1 : -1));
  return {
    vulnerabilities,
    calculated: rows.length,
    higher,
    lower,
    unchanged: rows.length - higher - lower,
    meanBefore: meanOf(scoresBefore),
    meanAfter: meanOf(scoresAfter),
    moves: moved.slice(0, mostMoves),
  };
}

/**
 * How the vulnerabilities would move with another scorecard. Calculates after the transaction, so that the connection is
 * returned first.
 * @throws Failure 404 for a vignette that does not exist, 422 for a cell that is rated twice
 * @throws SlotsFull when too many previews wait
 */
export function previewScorecard(
  database: Database,
  { organizationId }: Caller,
  { vignetteId, scorecard }: Call<typeof vignettes.preview>['body'],
): Promise<VignettePreview> {
  const next = readVignetteBody({ name: 'Preview', scorecard }).scorecard;
  return slots.run(organizationId, async () => {
    const loaded = await withOrganization(database, organizationId, (trx) => load(trx, vignetteId));
    return summarize(loaded, await compareAll(loaded, next));
  });
}
