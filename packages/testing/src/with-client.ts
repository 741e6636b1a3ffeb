import { Client } from 'pg';

/**
 * Runs work on a connection of its own, under the role of the address. Row-level security and column grants do not
 * restrict an administrator.
 */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
