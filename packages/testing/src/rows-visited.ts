import type { Pool } from 'pg';
import type { TestDatabase } from './database.ts';
import { withClient } from './with-client.ts';

/** One statement and the rows that all nodes of its plan read, including those that a filter removed. */
export interface StatementWork {
  text: string;
  rows: number;
  plan: object;
}

interface PlanNode {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

function rowsOf(node: PlanNode): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), each * (node['Actual Loops'] ?? 0));
}

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
};

/**
 * Records the rows that each statement of the pool reads, those of triggers too, to find statements whose work grows
 * with the square of the data, independently of the load of the machine. Call it before the pool's first connection.
 * @param options `aboveMs`: shorter statements are left out. By default those are the many that check foreign keys; a
 * statement that reads many thousands of rows takes longer
 * @returns a function that returns and forgets what was recorded, the most rows first
 */
export async function recordRowsVisited(
  test: TestDatabase,
  pool: Pool,
  { aboveMs = 1 } = {},
): Promise<() => StatementWork[]> {
  await withClient(test.adminUrl, async (admin) => {
    const name = admin.escapeIdentifier(new URL(test.url).pathname.slice(1));
    for (const [setting, value] of Object.entries({
      ...settings,
      'auto_explain.log_min_duration': `${aboveMs}ms`,
    }))
      await admin.query(`alter database ${name} set ${setting} = ${admin.escapeLiteral(value)}`);
  });
  let recorded: StatementWork[] = [];
  pool.on('connect', (client) =>
    client.on('notice', ({ message }) => {
      const plan = message?.split('plan:\n')[1];
      if (!plan?.startsWith('{')) return;
      const explained = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode };
      recorded.push({ text: explained['Query Text'], rows: rowsOf(explained.Plan), plan: explained.Plan });
    }),
  );
  return () => {
    const taken = recorded.toSorted((a, b) => b.rows - a.rows);
    recorded = [];
    return taken;
  };
}
