import { performance } from 'node:perf_hooks';
import { startProduct } from './product.ts';
import { shown, spread } from './statistics.ts';

/**
 * The page of a project with 100,000 assets and the suggestions for one of its assets and for one vulnerability, over
 * HTTP. The floor of each call is one statement that reads the same tables of the organization once.
 */
const calls = 5;
const size = 100_000;
/** A page is usable while these load; longer than this it looks broken. */
const limitMs = 1000;

/** Id of the nth row of a table, in no order. */
const id = (table: string, n: string) =>
  `overlay(overlay(md5('${table} ' || (${n})) placing '7' from 13) placing '8' from 17)::uuid`;
const series = `generate_series(1, ${size}) n`;

const product = await startProduct();
const { admin, origin, cookie } = product;

async function fill(organization: string): Promise<void> {
  const own = `'${organization}'::uuid`;
  await admin.query('set session_replication_role = replica');
  await admin.query(`
    insert into project (organization_id, id, name, start_date) values (${own}, ${id('project', '0')}, 'Large', now());
    insert into asset (organization_id, id, project_id, name, description, asset_type_id, criticality, threat_count, vulnerability_count)
      select ${own}, ${id('asset', 'n')}, ${id('project', '0')}, 'Mail relay ' || n, 'Runs Product' || n % 997 || ' in rack ' || n,
        1 + n % 6, 1 + n % 5, 1, 1 from ${series};
    insert into vulnerability (organization_id, id, name, description, status, severity)
      select ${own}, ${id('vulnerability', 'n')}, 'Overflow in Product' || n % 997 || ' no. ' || n,
        'A crafted message to Product' || n % 997 || ' overwrites memory and runs code of the sender.',
        case n % 4 when 0 then 'fixed' else 'open' end, nullif(n % 101, 100) / 10.0 from ${series};
    insert into threat (organization_id, id, name, description, risk_level)
      select ${own}, ${id('threat', 'n')}, 'Group no. ' || n, 'Uses Product' || n % 997 || '.', nullif(n % 101, 100) from ${series};
    insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
      select ${own}, ${id('vulnerability', 'n')}, ${id('asset', 'n')} from ${series};
    insert into threat_asset (organization_id, threat_id, asset_id)
      select ${own}, ${id('threat', 'n')}, ${id('asset', 'n')} from ${series};
    insert into activity (organization_id, id, at, action, noun, noun_id, name, via)
      select ${own}, ${id('activity', 'n')}, now() - n * interval '1 second', 'asset.updated', 'assets',
        ${id('asset', `1 + n % ${size}`)}, 'Mail relay', 'session' from generate_series(1, ${3 * size}) n`);
  await admin.query('vacuum analyze');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function read(path: string): Promise<void> {
  const answer = await fetch(`${origin}${path}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

let slow = 0;
async function measure(name: string, { path, floor }: { path: string; floor: string }): Promise<void> {
  const [api, least]: [number[], number[]] = [[], []];
  for (let n = -1; n < calls; n += 1) {
    const one = await timed(() => read(path));
    const other = await timed(() => admin.query(floor));
    if (n < 0) continue;
    api.push(one);
    least.push(other);
  }
  const { median } = spread(api);
  if (median > limitMs) slow += 1;
  const ratio = (median / spread(least).median).toFixed(1);
  console.log(
    `${name.padEnd(26)}${shown(spread(api)).padStart(20)} ms, floor ${shown(spread(least)).padStart(18)} ms, ratio ${ratio.padStart(5)}${median > limitMs ? '  over' : ''}`,
  );
}

try {
  const { rows } = await admin.query<{ id: string }>('select organization_id as id from organization');
  await fill(rows[0]?.id ?? '');
  const ids = await admin.query<Record<'project' | 'asset' | 'vulnerability', string>>(
    `select ${id('project', '0')} as project, ${id('asset', '7')} as asset, ${id('vulnerability', '7')} as vulnerability`,
  );
  const { project, asset, vulnerability } = ids.rows[0] ?? { project: '', asset: '', vulnerability: '' };
  const related = `select count(distinct threat_id) from threat_asset; select count(distinct vulnerability_id) from vulnerability_asset`;
  const texts = `select count(*) from vulnerability where description ~* 'product7'; select count(*) from threat where description ~* 'product7'`;
  console.log(`min / median / max of ${calls} calls`);
  await measure('risk', { path: `/api/projects/${project}/risk`, floor: related });
  await measure('deletion preview', { path: `/api/projects/${project}/deletion-preview`, floor: related });
  await measure('timeline', {
    path: `/api/activity?projectId=${project}&pageSize=10`,
    floor: 'select count(*) from activity',
  });
  await measure('suggestions of an asset', { path: `/api/assets/${asset}/suggestions`, floor: texts });
  await measure('suggestions of a record', {
    path: `/api/vulnerabilities/${vulnerability}/suggestions`,
    floor: `select count(*) from asset where name || description ~* 'product7'`,
  });
  process.exitCode = slow === 0 ? 0 : 1;
} finally {
  await product.stop();
}
