import type { Client } from 'pg';
import type { SampleRemediation } from '../../sample/organization/remediation.ts';
import { dayOf, historyDays } from './example-history.ts';

/** Threats that were known before the report was imported today; the others came with it. */
const knownThreats = 22;

/** A threat of the organization, with the day of its creation. */
interface KnownThreat {
  id: string;
  daysAgo: number;
}

/** Which threats were known before today, and since when. */
const threatsBefore = (threats: readonly { id: string; name: string }[]): KnownThreat[] =>
  threats
    .map(({ id, name }) => ({ id, daysAgo: dayOf(name) }))
    .toSorted((one, other) => one.daysAgo - other.daysAgo || one.id.localeCompare(other.id))
    .filter((_, at) => at % 2 === 0)
    .slice(0, knownThreats);

/** Whether an asset was at risk by a recorded score. */
const atRisk = '(score >= 7 or vulnerability_count > 3 or threat_count > 5)';

type Query = Pick<Client, 'query'>;

/** Moves records to the invented days on which they were created and closed, without a trace in their timelines. */
async function dateRecords(
  client: Query,
  organizationId: string,
  remediation: ReadonlyMap<string, SampleRemediation>,
): Promise<void> {
  const stories = [...remediation].map(
    ([key, { category, found, closed: [status, after] = ['open', 0] }]) => ({
      key,
      category,
      found,
      status,
      closed: found - after,
    }),
  );
  await client.query(
    `update vulnerability v set category_id = s.category, status = s.status,
      created_at = v.created_at - make_interval(days => s.found),
      discovery_date = (v.created_at at time zone 'UTC')::date - s.found,
      status_changed_at = case when s.status <> 'open' then v.created_at - make_interval(days => s.closed) end,
      fix_date = case when s.status = 'fixed' then (v.created_at at time zone 'UTC')::date - s.closed end
    from jsonb_to_recordset($2) s (key text, category integer, found integer, status text, closed integer)
    where v.organization_id = $1 and s.key = coalesce(nullif(v.cve_id, ''), v.name)`,
    [organizationId, JSON.stringify(stories)],
  );
  // The report says the same days: a restore of a deleted record takes its fields from there.
  await client.query(
    `update report_record r set data = r.data || jsonb_build_object('discoveredAt', v.discovery_date)
    from vulnerability v
    where v.organization_id = $1 and r.organization_id = $1 and r.vulnerability_id = v.id
      and v.discovery_date is not null`,
    [organizationId],
  );
  const { rows: threats } = await client.query<{ id: string; name: string }>(
    'select id, name from threat where organization_id = $1',
    [organizationId],
  );
  await client.query(
    `update threat t set created_at = t.created_at - make_interval(days => s."daysAgo")
    from jsonb_to_recordset($2) s (id uuid, "daysAgo" integer)
    where t.organization_id = $1 and t.id = s.id`,
    [organizationId, JSON.stringify(threatsBefore(threats))],
  );
  await client.query(
    `update asset a set risk_changed_at = (
      select max(s.at) from (
        select at, at_risk, lag(at_risk) over (order by at) as was from (
          select at, ${atRisk} as at_risk from asset_score
          where organization_id = a.organization_id and asset_id = a.id
        ) scored
      ) s where s.at_risk is distinct from s.was
    )
    where a.organization_id = $1`,
    [organizationId],
  );
}

const counted = `organization_id, created_at, severity, category_id, asset_count, critical_asset_count, discovery_date,
  fix_date, status_changed_at`;
const dayText = (time: string): string => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD')`;

/** The example's own alerts must not count among those of the last ten minutes, after ten of which a rule waits. */
const dateAlerts = (client: Query, organizationId: string) =>
  client.query(
    `update alert set created_at = created_at - interval '10 minutes' where organization_id = $1`,
    [organizationId],
  );

/** Rows as the functions of migration 0031 count them; the cause begins with the day. */
const countedRows = {
  vulnerability: `
    select 1 as n, ${dayText('created_at')} || ' found' as cause, 'open' as status, ${counted} from vulnerability
    union all
    select n, ${dayText('status_changed_at')} || ' ' || v.status, was, ${counted} from vulnerability v
    cross join lateral (values (-1, 'open'), (1, v.status)) change (n, was)
    where v.status <> 'open'`,
  threat: `
    select 1 as n, ${dayText('created_at')} || ' found' as cause, organization_id, risk_level, is_active from threat`,
  // An asset that is counted anew leaves the count that it was in before.
  asset: `
    select n, ${dayText('at')} || ' ' || cause as cause, organization_id,
      case when at_risk then 'Critical' else 'Warning' end as health, 0 as risk_score, replacement_cost, recovery_cost
    from (
      select s.organization_id, s.at, a.replacement_cost, a.recovery_cost, change.n, change.at_risk,
        case when s.was is null then 'found' when s.at_risk then 'related' else 'unrelated' end as cause
      from (
        select organization_id, asset_id, at, at_risk, lag(at_risk) over (partition by asset_id order by at) as was
        from (
          select organization_id, asset_id, at, ${atRisk} as at_risk
          from asset_score
        ) scored
      ) s
      join asset a on a.organization_id = s.organization_id and a.id = s.asset_id
      cross join lateral (values (-1, s.was), (1, s.at_risk)) change (n, at_risk)
      where s.at_risk is distinct from s.was and change.at_risk is not null
    ) changed`,
  vulnerability_card: `
    select 1 as n, ${dayText('created_at')} || ' found' as cause, organization_id, status, severity, cvss_score
    from vulnerability`,
  threat_card: `
    select 1 as n, ${dayText('created_at')} || ' found' as cause, organization_id, risk_level from threat`,
  asset_card: `
    select 1 as n, ${dayText('created_at')} || ' found' as cause, organization_id, criticality, confidentiality_level,
      integrity_level from asset`,
  report: `
    select 1 as n, ${dayText('uploaded_at')} || ' found' as cause, organization_id, stix_version, size from report_file`,
} as const;

async function writeEntries(client: Query, organizationId: string): Promise<void> {
  for (const table of ['overview_entry', 'overview_day', 'overview_total', 'overview_snapshot'])
    await client.query(`delete from ${table} where organization_id = $1`, [organizationId]);
  for (const [noun, rows] of Object.entries(countedRows)) {
    const { rows: functions } = await client.query<{ text: string }>(
      `select overview_of_${noun}($1) as text`,
      [rows],
    );
    await client.query(
      `insert into overview_day (organization_id, day, measure, bucket, cause, count, sum)
      select organization_id, split_part(cause, ' ', 1)::date, measure, bucket, split_part(cause, ' ', 2), count, sum
      from (${functions[0]?.text}) counted where organization_id = $1`,
      [organizationId],
    );
  }
  await client.query(
    `insert into overview_total (organization_id, measure, bucket, count, sum)
    select organization_id, measure, bucket, sum(count), sum(sum) from overview_day where organization_id = $1
    group by organization_id, measure, bucket`,
    [organizationId],
  );
}

/** A snapshot of each day before today, as metrics.recompute writes it. */
async function writeSnapshots(client: Query, organizationId: string): Promise<void> {
  await client.query(
    `insert into overview_snapshot (organization_id, day, totals, formula_version, taken_at)
    select $1, days.day, jsonb_object_agg(of_day.measure, of_day.buckets), '1',
      (days.day + 1)::timestamp at time zone 'UTC' + interval '2 hours'
    from (
      select (now() at time zone 'UTC')::date - n as day from generate_series(1, $2) n
    ) days
    cross join lateral (
      select measure, jsonb_object_agg(bucket, jsonb_build_array(count, sum)) as buckets
      from (
        select measure, bucket, sum(count) as count, sum(sum) as sum from overview_day
        where organization_id = $1 and day <= days.day
        group by measure, bucket having sum(count) <> 0 or sum(sum) <> 0
      ) totals
      group by measure
    ) of_day
    group by days.day`,
    [organizationId, historyDays],
  );
}

/**
 * Gives the demo organization an invented year: when its vulnerabilities and threats were found, what became of them, and
 * the entries and snapshots of the overview that follow from it and from the example scores of its assets.
 */
export async function writeExampleOverview(
  client: Query,
  organizationId: string,
  remediation: ReadonlyMap<string, SampleRemediation>,
): Promise<void> {
  await client.query('begin');
  // The triggers would record everything as a change of today.
  await client.query('set local session_replication_role = replica');
  await dateRecords(client, organizationId, remediation);
  await writeEntries(client, organizationId);
  await writeSnapshots(client, organizationId);
  await dateAlerts(client, organizationId);
  await client.query('commit');
}
