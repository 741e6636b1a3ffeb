import { changedEvent, mostSingleAlerts } from '@riskboard/contract';
import { lockAlerts, type OrganizationTransaction, withOrganization } from '@riskboard/db';
import { draftAlerts } from '@riskboard/domain';
import { notifyMailSender } from '@riskboard/queue';
import { alertIds } from './alert-ids.ts';
import type { JobHandler } from '../run/context.ts';
import { noteChange } from '../run/changed-organizations.ts';
import { enqueue, publishJobs } from '../run/publish.ts';
import { noteCrossings, overallCrossings } from './overall-score.ts';
import {
  consumeChanges,
  hasChanges,
  type RuleFindings,
  silentRules,
  watchingRules,
} from './rule-findings.ts';
import { type NewAlert, saveAlerts } from './save-alerts.ts';

/** The alerts for what a rule found. */
function alertsOf({ rule, findings, further }: RuleFindings, newId: () => string): NewAlert[] {
  const occurrences = new Map(findings.map((finding) => [finding.subjectId, finding.occurrence]));
  const limits = { mostSingle: mostSingleAlerts, newId };
  return draftAlerts(rule, { findings, further }, limits).map(({ id, draft, findings: own }) => ({
    id,
    kind: rule.kind,
    draft,
    rule,
    findings: own.map(({ subjectId }) => ({ subjectId, occurrence: occurrences.get(subjectId) ?? '' })),
  }));
}

async function findings(trx: OrganizationTransaction): Promise<RuleFindings[]> {
  const rules = await watchingRules(trx);
  return [
    ...(await consumeChanges(trx, rules)),
    ...(await noteCrossings(trx, await overallCrossings(trx, rules))),
    ...(await silentRules(trx, rules)),
  ];
}

/**
 * Creates alerts for what the rules of an organization found. One transaction consumes the findings, stores the alerts
 * and ends the job, under a lock: another worker that evaluates at once, and a second run, find nothing left.
 */
export const alertsEvaluate: JobHandler<'alerts.evaluate'> = async (context) => {
  const { deps, organizationId } = context;
  context.progress({ phase: 'evaluating', done: 0, total: 0 });
  await context.stopProgress();
  const saved = await withOrganization(deps.database, organizationId, async (trx) => {
    await lockAlerts(trx);
    const newId = await alertIds(trx);
    const alerts = (await findings(trx)).flatMap((found) => alertsOf(found, newId));
    const stored = await saveAlerts(trx, { organizationId, origin: deps.origin ?? '' }, alerts);
    const counted = alerts.reduce((sum, { draft }) => sum + draft.count, 0);
    await context.finish(trx, { alerts: alerts.length, findings: counted });
    return stored;
  });
  // A change that was committed after the findings were read, and announced while this job ran, requested no evaluation.
  noteChange(deps.relay, organizationId);
  await enqueue(deps, saved.jobs);
  await publishJobs(deps, saved.jobs);
  if (saved.mails) await notifyMailSender(deps.relay);
  return saved.ids.length === 0
    ? []
    : [changedEvent('alert.changed', { action: 'created', by: null }, saved.ids)];
};

/** Whether an evaluation would find something; reads only. */
export async function hasFindings(trx: OrganizationTransaction): Promise<boolean> {
  if (await hasChanges(trx)) return true;
  const rules = await watchingRules(trx);
  if ((await silentRules(trx, rules)).length > 0) return true;
  return (await overallCrossings(trx, rules)).length > 0;
}
