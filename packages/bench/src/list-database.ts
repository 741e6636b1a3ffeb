import { performance } from 'node:perf_hooks';
import { fillOrganization, withoutIndexes } from './list-rows.ts';
import { addOrganization, type OrganizationOfBench, type Product, withToken } from './product.ts';

/** Other organizations, and rows in each of their lists. */
export const neighbours = { organizations: 200, rows: 500 };

/** Lists that are filled: all of them, or vulnerabilities alone. */
type Only = 'vulnerabilities' | undefined;

/** An organization with this number of rows in each list that is filled. */
export interface Filled extends OrganizationOfBench {
  rows: number;
}

/** Names of the organizations, by which a later run finds them. */
const nameOf = (rows: number, only: Only): string => `Lists of ${rows} rows${only ? ` of ${only}` : ''}`;
const neighbourName = 'Neighbour';

async function idsOf({ admin }: Product, name: string): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    'select organization_id as id from organization where name = $1 order by organization_id',
    [name],
  );
  return rows.map(({ id }) => id);
}

/** Fills an organization in one transaction, so that an interrupted run leaves none that is half filled. */
async function add(product: Product, name: string, content: { rows: number; only?: Only }): Promise<void> {
  const { rows } = content;
  const started = performance.now();
  await product.admin.query('begin');
  const { organizationId } = await addOrganization(product, name);
  await fillOrganization(product.admin, organizationId, content);
  await product.admin.query('commit');
  const seconds = Math.round((performance.now() - started) / 1000);
  if (name !== neighbourName) console.log(`${rows.toLocaleString('en-US')} rows in ${seconds} s`);
}

/**
 * Organizations with lists of these lengths beside the others. Those that the database of an earlier run holds are
 * used again.
 */
export async function listOrganizations(
  product: Product,
  { sizes, only }: { sizes: readonly number[]; only?: Only },
): Promise<Filled[]> {
  const missing: number[] = [];
  for (const rows of sizes) if ((await idsOf(product, nameOf(rows, only))).length === 0) missing.push(rows);
  const others = neighbours.organizations - (await idsOf(product, neighbourName)).length;
  if (missing.length > 0 || others > 0) {
    await withoutIndexes(product.admin, async () => {
      for (let n = 0; n < others; n += 1) await add(product, neighbourName, { rows: neighbours.rows });
      for (const rows of missing) await add(product, nameOf(rows, only), { rows, only });
    });
    await product.admin.query('vacuum analyze');
  }
  const filled: Filled[] = [];
  for (const rows of sizes) {
    const [id = ''] = await idsOf(product, nameOf(rows, only));
    filled.push({ ...(await withToken(product, id)), rows });
  }
  return filled;
}
