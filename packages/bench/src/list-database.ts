import { performance } from 'node:perf_hooks';
import { fillOrganization, withoutIndexes } from './list-rows.ts';
import { addOrganization, type OrganizationOfBench, type Product, withToken } from './product.ts';

/** Other organizations, and rows in each of their lists. */
export const neighbours = { organizations: 200, rows: 500 };

/** An organization with this number of rows in each list. */
export interface Filled extends OrganizationOfBench {
  rows: number;
}

/** Names of the organizations, by which a later run finds them. */
const nameOf = (rows: number): string => `Lists of ${rows} rows`;
const neighbourName = 'Neighbour';

async function idsOf({ admin }: Product, name: string): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    'select organization_id as id from organization where name = $1 order by organization_id',
    [name],
  );
  return rows.map(({ id }) => id);
}

/** Fills an organization in one transaction, so that an interrupted run leaves none that is half filled. */
async function add(product: Product, name: string, rows: number): Promise<void> {
  const started = performance.now();
  await product.admin.query('begin');
  const { organizationId } = await addOrganization(product, name);
  await fillOrganization(product.admin, organizationId, rows);
  await product.admin.query('commit');
  const seconds = Math.round((performance.now() - started) / 1000);
  if (name !== neighbourName) console.log(`${rows.toLocaleString('en-US')} rows in ${seconds} s`);
}

/**
 * Organizations with lists of these lengths beside the neighbours. Those that the database of an earlier run holds are
 * used again.
 */
export async function listOrganizations(product: Product, sizes: readonly number[]): Promise<Filled[]> {
  const missing: number[] = [];
  for (const rows of sizes) if ((await idsOf(product, nameOf(rows))).length === 0) missing.push(rows);
  const others = neighbours.organizations - (await idsOf(product, neighbourName)).length;
  if (missing.length > 0 || others > 0) {
    await withoutIndexes(product.admin, async () => {
      for (let n = 0; n < others; n += 1) await add(product, neighbourName, neighbours.rows);
      for (const rows of missing) await add(product, nameOf(rows), rows);
    });
    await product.admin.query('vacuum analyze');
  }
  const filled: Filled[] = [];
  for (const rows of sizes) {
    const [id = ''] = await idsOf(product, nameOf(rows));
    filled.push({ ...(await withToken(product, id)), rows });
  }
  return filled;
}
