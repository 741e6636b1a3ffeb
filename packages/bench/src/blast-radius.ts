import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { startProduct } from './product.ts';
import { shown, spread } from './statistics.ts';

/**
 * The blast radius of an asset and the map of a project over HTTP, in graphs of different shapes, in one organization
 * among fifty others. The floor reads the same assets and relations by their ids, without searching for them, and makes
 * JSON of them.
 */
const calls = 5;
/** Issue 11: 10,000 assets within a second. */
const limitMs = 1000;
const otherOrganizations = 50;

/** Id of the nth row of a graph, in no order. Asset 0 is the one whose blast radius is read. */
const id = (graph: string, n: string) =>
  `overlay(overlay(md5('${graph} ' || (${n})) placing '7' from 13) placing '8' from 17)::uuid`;

interface Graph {
  assets: number;
  /** Relations as `n`, which depends on `below`. */
  relations: string;
}

const graphs: Readonly<Record<string, Graph>> = {
  // 100 layers of 100 assets, each related to all of the next layer: 10,000 assets, 990,100 relations.
  layers: {
    assets: 10_001,
    relations: `select n, below from generate_series(1, 10000) n,
      lateral generate_series(greatest(0, ((n - 1) / 100 - 1) * 100 + 1), (n - 1) / 100 * 100) below`,
  },
  tree: { assets: 10_001, relations: `select n, (n - 1) / 10 as below from generate_series(1, 10000) n` },
  // Two relations each, in an organization with 100,000 further assets in chains.
  mesh: {
    assets: 110_001,
    relations: `select n, (n - 1) / 10 as below from generate_series(1, 10000) n
      union select n, n - 1 - n * 7919 % 50 from generate_series(100, 10000) n
      union select n, n - 1 from generate_series(10002, 110000) n where n % 50 > 0`,
  },
  // Asset 0 depends on all others, which have 20,000 open vulnerabilities.
  exposed: {
    assets: 10_001,
    relations: `select (n - 1) / 10 as n, n as below from generate_series(1, 10000) n`,
  },
};

const product = await startProduct();
const { admin, origin, cookie } = product;

async function fill(organization: string, name: string, { assets, relations }: Graph): Promise<void> {
  const project = id(name, '-1');
  await admin.query(
    `insert into project (organization_id, id, name, start_date) values ($1, ${project}, '${name}', now())`,
    [organization],
  );
  await admin.query(
    `insert into asset (organization_id, id, project_id, name, asset_type_id, criticality)
     select $1, ${id(name, 'n')}, ${project}, '${name} ' || n, 1, 1 + n % 5 from generate_series(0, ${assets - 1}) n`,
    [organization],
  );
  await admin.query(
    `insert into asset_relation (organization_id, asset_id, related_id)
     select distinct $1::uuid, ${id(name, 'n')}, ${id(name, 'below')} from (${relations}) r where n <> below`,
    [organization],
  );
}

interface Reply {
  nodes: { _id: string }[];
  edges: unknown[];
  truncated: boolean;
  exposureTotal?: number;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

async function read(path: string): Promise<Reply> {
  const answer = await fetch(`${origin}${path}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Reply;
}

async function floor(organization: string, { nodes, edges }: Reply): Promise<string> {
  const ids = nodes.map(({ _id }) => _id);
  const found = await admin.query(
    `select id as _id, name, 1 as distance, risk_score::float as "riskScore", health from asset
     where organization_id = $1 and id = any ($2)`,
    [organization, ids],
  );
  const related = await admin.query(
    `select asset_id as "from", related_id as "to" from asset_relation
     where organization_id = $1 and related_id = any ($2) limit ${edges.length}`,
    [organization, ids],
  );
  return JSON.stringify({ nodes: found.rows, edges: related.rows });
}

let slow = 0;
async function measure(name: string, organization: string, path: string): Promise<void> {
  const [api, least]: [number[], number[]] = [[], []];
  let last: Reply | undefined;
  for (let n = -1; n < calls; n += 1) {
    const one = await timed(() => read(path));
    const other = await timed(() => floor(organization, one.result));
    last = one.result;
    if (n < 0) continue;
    api.push(one.ms);
    least.push(other.ms);
  }
  const { median } = spread(api);
  if (median > limitMs) slow += 1;
  const counts = `${last?.nodes.length} nodes, ${last?.edges.length} edges${last?.truncated ? ', truncated' : ''}${last?.exposureTotal === undefined ? '' : `, ${last.exposureTotal} vulnerabilities`}`;
  const ratio = (median / spread(least).median).toFixed(1);
  console.log(
    `${name.padEnd(22)}${shown(spread(api)).padStart(18)} ms, floor ${shown(spread(least)).padStart(15)} ms, ratio ${ratio.padStart(5)}; ${counts}${median > limitMs ? '  over' : ''}`,
  );
}

try {
  const { rows } = await admin.query<{ id: string }>('select organization_id as id from organization');
  const own = rows[0]?.id ?? '';
  await admin.query('set session_replication_role = replica');
  for (let n = 0; n < otherOrganizations; n += 1) {
    const organization = randomUUID();
    await admin.query('insert into organization (organization_id) values ($1)', [organization]);
    await fill(organization, `other ${n}`, {
      assets: 2001,
      relations: 'select n, (n - 1) / 3 as below from generate_series(1, 2000) n',
    });
  }
  for (const [name, graph] of Object.entries(graphs)) await fill(own, name, graph);
  await admin.query(
    `insert into vulnerability (organization_id, id, name, status, severity)
     select $1::uuid, ${id('flaw', 'n')}, 'Flaw ' || n, 'open', n % 101 / 10.0 from generate_series(1, 20000) n`,
    [own],
  );
  await admin.query(
    `insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
     select $1::uuid, ${id('flaw', 'n')}, ${id('exposed', '1 + n % 10000')} from generate_series(1, 20000) n`,
    [own],
  );
  await admin.query('vacuum analyze');
  console.log(`min / median / max of ${calls} calls`);
  for (const name of Object.keys(graphs)) {
    const found = await admin.query<{ id: string }>(`select ${id(name, '0')} as id`);
    await measure(name, own, `/api/assets/${found.rows[0]?.id}/blast-radius`);
  }
  const project = await admin.query<{ id: string }>(`select ${id('mesh', '-1')} as id`);
  await measure('map of 110,001 assets', own, `/api/projects/${project.rows[0]?.id}/map`);
  process.exitCode = slow === 0 ? 0 : 1;
} finally {
  await product.stop();
}
