import type { Client } from 'pg';

/** Nodes by kind: 2,000 with the central vulnerability, the maximum of a graph (contract, Graph). */
export const sampleSize = { assets: 800, vulnerabilities: 600, threats: 599, edges: 4000 } as const;

/** Ids that contain their kind and number. */
const id = (kind: number, n: string) =>
  `('0199f00${kind}-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

export const centreId = '0199f002-0000-7000-8000-000000000000';

const statements = [
  `insert into project (organization_id, id, name, start_date) values ($1, ${id(0, '0')}, 'Port', now())`,
  `insert into asset (organization_id, id, project_id, name, asset_type_id)
   select $1::uuid, ${id(1, 'n')}, ${id(0, '0')}, 'Crane controller ' || n, 1 + n % 6 from generate_series(1, ${sampleSize.assets}) n`,
  `insert into vulnerability (organization_id, id, name, cvss_score, severity)
   select $1::uuid, ${id(2, 'n')}, 'Firmware is not checked ' || n, n % 101 / 10.0, n % 101 / 10.0
   from generate_series(0, ${sampleSize.vulnerabilities}) n`,
  `insert into threat (organization_id, id, name, risk_level)
   select $1::uuid, ${id(3, 'n')}, 'Night Pilots ' || n, n % 101 from generate_series(1, ${sampleSize.threats}) n`,
  // The central vulnerability relates to every asset, each other record to two; asset dependencies have no cycle.
  `insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
   select $1::uuid, ${id(2, '0')}, ${id(1, 'n')} from generate_series(1, ${sampleSize.assets}) n
   union all
   select $1::uuid, ${id(2, 'n')}, ${id(1, `1 + (n * k * 37) % ${sampleSize.assets}`)}
   from generate_series(1, ${sampleSize.vulnerabilities}) n, generate_series(1, 2) k`,
  `insert into threat_asset (organization_id, threat_id, asset_id)
   select $1::uuid, ${id(3, 'n')}, ${id(1, `1 + (n * k * 53) % ${sampleSize.assets}`)}
   from generate_series(1, ${sampleSize.threats}) n, generate_series(1, 2) k`,
  `insert into asset_relation (organization_id, asset_id, related_id)
   select $1::uuid, ${id(1, 'n / 2')}, ${id(1, 'n')} from generate_series(2, ${sampleSize.assets}) n
   union all
   select $1::uuid, ${id(1, 'n / 5')}, ${id(1, 'n')} from generate_series(798, 800) n`,
] as const;

/** Fills the organization of a product with a vulnerability that has the maximum number of relations. */
export async function writeSampleGraph(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ id: string }>('select organization_id as id from organization');
  for (const statement of statements) await admin.query(statement, [rows[0]?.id]);
}
