import type { Client } from 'pg';
import type { SampleProject } from '../../sample/organization/sample-asset.ts';
import { exampleHistory } from './example-history.ts';

/**
 * Replaces the recorded scores of the sample assets, which are all of this minute, by an invented year with the cause
 * 'example' that ends in their creation.
 */
export async function writeExampleHistory(
  client: Pick<Client, 'query'>,
  projects: readonly SampleProject[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = projects
    .flatMap((project) => project.assets)
    .flatMap((asset) => exampleHistory(asset).map((point) => ({ asset_id: ids.get(asset.name), ...point })));
  const assets = [...ids.values()];
  await client.query('begin');
  await client.query('delete from asset_score where asset_id = any ($1::uuid[])', [assets]);
  await client.query(
    `insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause, actor)
    select organization_id, id, created_at, risk_score, threat_count, vulnerability_count, 'created', created_by
    from asset where id = any ($1::uuid[])`,
    [assets],
  );
  await client.query(
    `insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause)
    select a.organization_id, a.id, date_trunc('day', a.created_at, 'UTC') - make_interval(days => r."daysAgo"),
      r.score, r.threats, r.vulnerabilities, 'example'
    from jsonb_to_recordset($1) r (asset_id uuid, "daysAgo" integer, score numeric, threats integer, vulnerabilities integer)
    join asset a on a.id = r.asset_id`,
    [JSON.stringify(rows)],
  );
  await client.query('commit');
}
