import type { searchNouns } from '@riskboard/contract';
import type { SearchIds } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { contains } from './lists/source.ts';
import type { OrganizationTransaction } from './with-organization.ts';

export type SearchNoun = (typeof searchNouns)[number];

export interface FoundRecords {
  /** At most 1,000 are counted. */
  total: number;
  /** How well the first one fits: 0 named, 1 begins so, 2 contains it. */
  rank: number;
  items: { id: string; title: string; subtitle: string }[];
}

interface Asked {
  text: string;
  ids: SearchIds;
}

const mostCounted = 1000;
const mostShown = 6;
/** A pattern with fewer characters in a row has no trigram of its own. */
const trigram = 3;

type Finder = (pattern: string) => RawBuilder<unknown>;

interface SearchSource {
  /** Rows by their names and identifiers, as `id`. */
  like: Finder;
  /** Patterns and rows that the asked identifiers name. */
  named?: (ids: SearchIds) => RawBuilder<unknown>[];
  table: string;
  /** What helps to tell it from its namesakes, of the row `r`. */
  subtitle: RawBuilder<unknown>;
}

const finder =
  (name: string): Finder =>
  (pattern) =>
    sql`select id from ${sql.ref(name)}(${pattern}, ${mostCounted}) id`;

const vulnerabilitiesLike = finder('vulnerabilities_like');
const threatsLike = finder('threats_like');

const joined = (...parts: RawBuilder<unknown>[]) => sql`concat_ws(' · ', ${sql.join(parts)})`;

const sources: Record<SearchNoun, SearchSource> = {
  vulnerabilities: {
    like: vulnerabilitiesLike,
    named: ({ cve, cwe }) => [
      ...(cve ? [vulnerabilitiesLike(cve)] : []),
      ...(cwe ? [sql`select id from vulnerabilities_of_weakness(${cwe}, ${mostCounted}) id`] : []),
    ],
    table: 'vulnerability',
    subtitle: joined(
      sql`nullif(nullif(r.cve_id, ''), r.name)`,
      sql`nullif(array_to_string(r.cwe[1:3], ', '), '')`,
      sql`'CVSS ' || r.cvss_score`,
    ),
  },
  threats: {
    like: threatsLike,
    named: ({ threats }) => threats.map((id) => threatsLike(id)),
    table: 'threat',
    subtitle: joined(sql`nullif(r.threat_id, '')`, sql`nullif(r.kind, '')`, sql`'Risk ' || r.risk_level`),
  },
  assets: {
    like: finder('assets_like'),
    table: 'asset',
    subtitle: sql`(select name from project p where p.organization_id = r.organization_id and p.id = r.project_id)`,
  },
  projects: {
    like: finder('projects_like'),
    table: 'project',
    subtitle: sql`r.status`,
  },
  reports: {
    // Files are few.
    like: (pattern) => sql`
      select id from report_file
      where organization_id = current_organization() and name ilike ${pattern} limit ${mostCounted}`,
    table: 'report_file',
    subtitle: joined(sql`'STIX ' || r.stix_version`, sql`to_char(r.uploaded_at, 'YYYY-MM-DD')`),
  },
};

/** The whole name, its beginning, anywhere in it: the escaped text without its wildcards, and with them. */
function patternsOf(text: string): string[] {
  const anywhere = contains(text);
  const whole = anywhere.slice(1, -1);
  const inside = [...text].length >= trigram ? anywhere : `% ${whole}%`;
  return [whole, `${whole}%`, inside];
}

/**
 * Records of a noun by name or identifier: those that it names first, then names that begin with the text, then names
 * that contain it; of a text below three characters, names with a word that begins with it.
 */
export async function searchRecords(
  trx: OrganizationTransaction,
  noun: SearchNoun,
  { text, ids }: Asked,
): Promise<FoundRecords> {
  const source = sources[noun];
  const [whole = '', begins = '', inside = ''] = patternsOf(text);
  const ranked = [
    ...[source.like(whole), ...(source.named?.(ids) ?? [])].map(
      (rows) => sql`(select id, 0 as rank from (${rows}) named)`,
    ),
    sql`(select id, 1 from (${source.like(begins)}) beginning)`,
    sql`(select id, 2 from (${source.like(inside)}) holding)`,
  ];
  const { rows } = await sql<FoundRecords['items'][number] & { rank: number; total: number }>`
    with found as materialized (
      select id, min(rank) as rank, count(*) over () as total
      from (${sql.join(ranked, sql` union all `)}) ranked group by id
    )
    select r.id, r.name as title, ${source.subtitle} as subtitle, found.rank, least(found.total, ${mostCounted})::int as total
    from found join ${sql.table(source.table)} r on r.organization_id = current_organization() and r.id = found.id
    order by found.rank, r.name, r.id limit ${mostShown}`.execute(trx);
  return {
    total: rows[0]?.total ?? 0,
    rank: rows[0]?.rank ?? 0,
    items: rows.map(({ id, title, subtitle }) => ({ id, title, subtitle })),
  };
}
