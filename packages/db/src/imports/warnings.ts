import type { ImportCounts } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type ImportRun, valueAfter } from './write-columns.ts';

type Warnings = Pick<ImportCounts, 'sharedCve' | 'fixDateUnfixed'>;

/** Rows that create a record with the CVE of an existing one. */
const sharesCve = ({ fields, key }: ImportRun): RawBuilder<boolean> =>
  fields.includes('cveId') && key !== 'cveId'
    ? sql<boolean>`p.action = 'created' and exists (
        select from vulnerability other
        where other.organization_id = current_organization() and nullif(other.cve_id, '') = nullif(s.cve_id, ''))`
    : sql<boolean>`false`;

/** Rows that write a fix date of a vulnerability that is not fixed: the date may be a deadline. */
const hasFixDateUnfixed = (run: ImportRun): RawBuilder<boolean> =>
  run.fields.includes('fixDate')
    ? sql<boolean>`p.action in ('created', 'updated') and s.fix_date is not null
        and coalesce(${valueAfter(run, 'status')}, 'open') <> 'fixed'`
    : sql<boolean>`false`;

/** How many planned rows are likely to be a mistake, though they can be imported. A warning without rows is absent. */
export async function countWarnings(trx: OrganizationTransaction, run: ImportRun): Promise<Warnings> {
  if (run.noun !== 'vulnerabilities') return {};
  const { rows } = await sql<Required<Warnings>>`
    select count(*) filter (where ${sharesCve(run)})::int as "sharedCve",
      count(*) filter (where ${hasFixDateUnfixed(run)})::int as "fixDateUnfixed"
    from planned p
    join staged s on s._line = p.line
    left join vulnerability r on r.organization_id = current_organization() and r.id = p.record_id`.execute(
    trx,
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0));
}
