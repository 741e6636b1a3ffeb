import { changedEvent, type OrganizationEvent } from '@riskboard/contract';
import {
  calculateOne,
  ChangeCount,
  type KnownWeaknesses,
  loadScoringVignettes,
  loadWeaknesses,
  lockAssertions,
  type OrganizationTransaction,
  withOrganization,
} from '@riskboard/db';
import { countEntry, recordEntries } from '../run/activity-entries.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';
import {
  type Group,
  selectVulnerabilities,
  skipReasons,
  type Skipped,
  vignetteDeleted,
} from './selection.ts';
import {
  batchSize,
  closeStaging,
  openStaging,
  saveBatch,
  stageAgain,
  stageBatch,
  weaknessesOfSelected,
} from './staging.ts';

type Context = JobContext<'cwss.calculate'>;

/** Calculates the score of one vulnerability, or of all selected ones in one transaction. */
export const cwssCalculate: JobHandler<'cwss.calculate'> = (context) => {
  const { job, payload } = context;
  return job.vulnerability_id === null || payload.vignetteId === undefined
    ? calculateMany(context)
    : calculateSingle(context, { vulnerabilityId: job.vulnerability_id, vignetteId: payload.vignetteId });
};

const originOf = ({ job, payload }: Context) =>
  ({ by: job.created_by, jobId: job.id, cause: payload.stale ? 'automatic' : 'calculated' }) as const;

const calculateSingle = (
  context: Context,
  ids: { vulnerabilityId: string; vignetteId: string },
): Promise<OrganizationEvent[]> =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { signal } = context;
    const done = await calculateOne(trx, { ...ids, ...originOf(context) });
    signal.throwIfAborted();
    if (done.missing === 'vignette') throw vignetteDeleted();
    if (done.missing !== null)
      throw new JobFailure(
        'vulnerability_deleted',
        'The vulnerability was deleted before its score was calculated.',
      );
    const { name, score, vignette, isChanged } = done;
    const detail = { score, vignette: vignette.name, version: vignette.version };
    const entries = isChanged ? [{ nounId: ids.vulnerabilityId, name, detail }] : [];
    await recordEntries(trx, context, { action: 'vulnerability.scored', entries });
    const changed = isChanged ? 1 : 0;
    await context.finish(trx, {
      matched: 1,
      changed,
      unchanged: 1 - changed,
      skipped: [],
      cwssScore: score,
    });
    return [eventOf(context, [ids.vulnerabilityId])];
  });

const eventOf = ({ job }: Context, rows: ChangeCount['rows']): OrganizationEvent =>
  changedEvent('vulnerability.changed', { action: 'updated', by: job.created_by }, rows);

/** The facts are read and the scores calculated without a lock; only saving locks the vulnerabilities. */
const calculateMany = (context: Context): Promise<OrganizationEvent[]> =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { signal } = context;
    context.progress({ phase: 'reading', done: 0, total: 0 });
    const { total, groups, skipped } = await selectVulnerabilities(trx, context);
    signal.throwIfAborted();
    context.progress({ phase: 'reading', done: total, total });
    const staged = await stageAll(trx, context, { groups, total });
    const saved = await saveAll(trx, context, { ...staged, total });
    signal.throwIfAborted();
    const { changed, unchanged, vignettes, withoutVignette, otherVignette } = saved;
    await recordEntries(trx, context, {
      action: 'vulnerability.scored-many',
      entries: countEntry(changed, ['vulnerability', 'vulnerabilities'], vignettesDetail(vignettes)),
    });
    const all = merged([
      ...skipped,
      {
        reason: skipReasons.deleted,
        count: total - changed - unchanged - withoutVignette - otherVignette,
      },
      { reason: skipReasons.withoutVignette, count: withoutVignette },
      { reason: skipReasons.otherVignette, count: otherVignette },
    ]);
    const matched = changed + unchanged + all.reduce((sum, { count }) => sum + count, 0);
    await context.finish(trx, { matched, changed, unchanged, skipped: all });
    return saved.saved.count > 0 ? [eventOf(context, saved.saved.rows)] : [];
  });

/** One entry for each reason that occurred. */
function merged(skipped: Skipped): Skipped {
  const counts = new Map<string, number>();
  for (const { reason, count } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].map(([reason, count]) => ({ reason, count })).filter(({ count }) => count > 0);
}

/** Names of vignettes in the activity log; others are left out. */
const vignettesShown = 5;

function vignettesDetail(vignettes: readonly Group['vignette'][]) {
  const names = vignettes.slice(0, vignettesShown).map(({ name }) => name);
  const [only, ...others] = vignettes;
  return {
    vignette: [...names, ...(vignettes.length > vignettesShown ? ['…'] : [])].join(', '),
    ...(only && others.length === 0 && { version: only.version }),
  };
}

function* batchesOfGroup({ after, upTo }: Group): Generator<{ after: number; upTo: number }> {
  for (let from = after; from < upTo; from += batchSize)
    yield { after: from, upTo: Math.min(from + batchSize, upTo) };
}

interface Staged {
  groups: readonly Group[];
  known: KnownWeaknesses;
  /** Catalogues that the scores were calculated with: several when it was replaced meanwhile. */
  catalogues: ReadonlySet<string>;
}

async function stageAll(
  trx: OrganizationTransaction,
  { signal, progress }: Context,
  { groups, total }: { groups: readonly Group[]; total: number },
): Promise<Staged> {
  await openStaging(trx);
  const known = await weaknessesOfSelected(trx);
  const catalogues = new Set([known.catalogueVersion]);
  for (const group of groups)
    for (const batch of batchesOfGroup(group)) {
      signal.throwIfAborted();
      progress({ phase: 'calculating', done: batch.after, total });
      catalogues.add(await stageBatch(trx, batch, { vignette: group.vignette, known }));
    }
  await closeStaging(trx);
  return { groups, known, catalogues };
}

interface Saved {
  changed: number;
  unchanged: number;
  /** Vulnerabilities with a new score or a score that is no longer stale. */
  saved: ChangeCount;
  vignettes: Group['vignette'][];
  /** Selected vulnerabilities whose vignette was deleted during the run. */
  withoutVignette: number;
  /** Selected vulnerabilities that a user scored with another vignette during the run. */
  otherVignette: number;
}

/**
 * A new version of a vignette or of the catalogue marks its scores as stale under the lock of the assertions. What
 * changed before this lock is read again here, and what changes after it marks the scores that are saved here.
 */
async function saveAll(
  trx: OrganizationTransaction,
  context: Context,
  { groups, known, catalogues, total }: Staged & { total: number },
): Promise<Saved> {
  const { signal, progress } = context;
  // All scores are calculated when another job holds the lock for minutes.
  progress({ phase: 'saving', done: 0, total });
  await lockAssertions(trx);
  const { catalogueVersion } = await loadWeaknesses(trx, []);
  const isSameCatalogue = catalogues.size === 1 && catalogues.has(catalogueVersion);
  const current = isSameCatalogue ? known : await weaknessesOfSelected(trx);
  const ids = groups.map(({ vignette }) => vignette.id);
  const vignettes = new Map((await loadScoringVignettes(trx, ids)).map((one) => [one.id, one]));
  const saved: Saved = {
    changed: 0,
    unchanged: 0,
    saved: new ChangeCount(),
    vignettes: [],
    withoutVignette: 0,
    otherVignette: 0,
  };
  for (const group of groups) {
    const vignette = vignettes.get(group.vignette.id);
    if (vignette === undefined) {
      if (context.payload.vignetteId !== undefined) throw vignetteDeleted();
      saved.withoutVignette += group.upTo - group.after;
      continue;
    }
    saved.vignettes.push(vignette);
    const calculating = { vignette, known: current };
    const onlySameVignette = context.payload.vignetteId === undefined;
    const origin = { vignette, catalogueVersion, ...originOf(context), onlySameVignette };
    const isCurrent = isSameCatalogue && vignette.version === group.vignette.version;
    for (const batch of batchesOfGroup(group)) {
      signal.throwIfAborted();
      progress({ phase: 'saving', done: batch.after, total });
      if (!isCurrent) await stageAgain(trx, batch, calculating);
      const done = await saveBatch(trx, batch, { calculating, origin });
      saved.changed += done.changed.length;
      saved.unchanged += done.unchanged.length;
      saved.otherVignette += done.otherVignette;
      saved.saved.add([...done.changed, ...done.unchanged]);
    }
  }
  return saved;
}
