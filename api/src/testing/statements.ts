import { vi } from 'vitest';
import type { TestApi } from './start-api.ts';

interface PoolWithClient {
  Client: { prototype: { query(statement: unknown, ...rest: unknown[]): unknown } };
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { text: unknown }).text);

/** The statements sent to the database while `work` runs, in order, without their parameters. */
export async function statementsOf(api: TestApi, work: () => Promise<unknown>): Promise<string[]> {
  const { Client } = api.database.pool as unknown as PoolWithClient;
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([statement]) => textOf(statement));
  } finally {
    query.mockRestore();
  }
}
