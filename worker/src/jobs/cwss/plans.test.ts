import { recordRowsVisited, type StatementWork, withClient } from '@riskboard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cwssHarness } from '../../testing/cwss.ts';
import { type HarnessDatabase, openHarnessDatabase } from '../../testing/test-harness.ts';

interface PlanNode {
  'Relation Name'?: string;
  'Node Type'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

let harnesses: HarnessDatabase;
let statements: () => StatementWork[];
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
  statements = await recordRowsVisited(harnesses.test, harnesses.database.pool, { aboveMs: 0 });
});
afterAll(() => harnesses.close());

const scansOf = (node: PlanNode, table: string): PlanNode[] => [
  ...(node['Relation Name'] === table && /Scan/u.test(node['Node Type'] ?? '') ? [node] : []),
  ...(node.Plans ?? []).flatMap((plan) => scansOf(plan, table)),
];

/** Statements that run once for each batch. */
const ofBatch = /from unnest\(\$\d+::uuid\[\]\) own|from cwss_staged where batch/u;

it('each batch of a bulk calculation looks up its vulnerabilities in the primary key, also right after ANALYZE', async () => {
  const harness = await harnesses.open();
  const cwss = cwssHarness(harness);
  const vignetteId = await cwss.vignette('Web shop', 7);
  await cwss.vulnerabilities(3000);
  await withClient(harnesses.test.adminUrl, (admin) => admin.query('analyze vulnerability'));
  const jobId = await cwss.request({ vignetteId, filter: {} });
  statements();
  await harness.run(jobId);
  expect(await harness.job(jobId)).toMatchObject({ result: { matched: 3000, changed: 3000 } });
  const found = statements().filter(({ text }) => ofBatch.test(text));
  const scans = found.flatMap(({ plan }) => scansOf(plan, 'vulnerability'));
  expect(scans.length).toBeGreaterThan(4);
  expect(scans.filter((scan) => scan['Index Name'] !== 'vulnerability_pkey')).toEqual([]);
});
