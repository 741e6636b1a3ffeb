import type { Reply, search, searchNouns } from '@riskboard/contract';
import type { SearchIds } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { idsLike, isLike } from './lists/like.ts';
import { contains } from './lists/source.ts';
import type { OrganizationTransaction } from './with-organization.ts';

export type SearchNoun = (typeof searchNouns)[number];

export interface FoundRecords {
  /** At most 1,000 are counted. */
  total: number;
  /** Of the best match: 0 has this name or identifier, 1 begins with the text, 2 contains it. */
  rank: number;
  items: { id: string; title: string; subtitle: string }[];
  /** The records that the list's filter by the identifier in the text selects; absent when no record has it. */
  byId?: ById;
}

type ById = NonNullable<Reply<typeof search.everywhere>['groups'][number]['byId']>;

interface SearchText {
  text: string;
  ids: SearchIds;
}

const maxCounted = sql.lit(1000);
const maxShown = sql.lit(6);
/** Rows that are ranked when there are more than can be counted; the user then refines the text. */
const maxRanked = sql.lit(50);
/** A shorter text has no trigram, so the trigram index cannot find it. */
const trigram = 3;
/** Letters of scripts that write words without blanks, so that the beginning of a word is not recognized. */
const withoutBlanks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

type Finder = (pattern: string, most: RawBuilder<unknown>) => RawBuilder<unknown>;

/** A database function that searches names without row-level security and returns only ids (migration 0007). */
const finder =
  (name: string): Finder =>
  (pattern, most) =>
    idsLike(name, pattern, most);

interface SearchSource {
  table: string;
  /** A limited number of ids of rows whose name or identifier matches a pattern. */
  like: Finder;
  /** Column of the identifier, if there is one. */
  identifier?: string;
  /** Identifiers in the search text. */
  named?: (ids: SearchIds) => string[];
  /** The list's filter by the identifiers in the search text, if there is one, and SQL of the number of its rows. */
  filter?: (ids: SearchIds) => (Omit<ById, 'total'> & { count: RawBuilder<number> }) | undefined;
  /** Distinguishes records with the same name; of the row `r`. */
  subtitle: RawBuilder<unknown>;
}

const joined = (...parts: RawBuilder<unknown>[]) => sql`concat_ws(' · ', ${sql.join(parts)})`;

/** Rows with one of these identifiers, as the filter of the list selects them, in terms of the index of the sort. */
const countWith = (table: string, identifier: string, values: string[]): RawBuilder<number> => sql`(
  select count(*) from (
    select from ${sql.table(table)} where organization_id = current_organization()
      and nullif(${sql.ref(identifier)}, '') = any (${values}::text[]) limit ${maxCounted}
  ) counted)`;

/** Written as `listVersions` of the domain does. */
const listedVersions = sql`replace(regexp_replace(replace(r.stix_version, 'stix-', ''), ',([^,]*)$', ' and \\1'), ',', ', ')`;

const sources: Record<SearchNoun, SearchSource> = {
  vulnerabilities: {
    table: 'vulnerability',
    like: finder('vulnerabilities_like'),
    identifier: 'cve_id',
    named: ({ cve }) => (cve ? [cve] : []),
    filter({ cve, cwe }) {
      if (cve) return { field: 'cveId', values: [cve], count: countWith('vulnerability', 'cve_id', [cve]) };
      if (cwe)
        return { field: 'cwe', values: [cwe], count: sql`(select count_of_weakness(${cwe}, ${maxCounted}))` };
      return undefined;
    },
    subtitle: joined(
      sql`nullif(nullif(r.cve_id, ''), r.name)`,
      sql`nullif(array_to_string(r.cwe[1:3], ', '), '')`,
      sql`'CVSS ' || r.cvss_score`,
    ),
  },
  threats: {
    table: 'threat',
    like: finder('threats_like'),
    identifier: 'threat_id',
    named: ({ threats }) => threats,
    filter: ({ threats }) =>
      threats.length > 0
        ? { field: 'threatID', values: threats, count: countWith('threat', 'threat_id', threats) }
        : undefined,
    subtitle: joined(sql`nullif(r.threat_id, '')`, sql`nullif(r.kind, '')`, sql`'Risk ' || r.risk_level`),
  },
  assets: {
    table: 'asset',
    like: finder('assets_like'),
    subtitle: sql`(select name from project p where p.organization_id = r.organization_id and p.id = r.project_id)`,
  },
  projects: { table: 'project', like: finder('projects_like'), subtitle: sql`r.status` },
  reports: {
    table: 'report_file',
    // An organization has few files, so no function is needed.
    like: (pattern, most) => sql`
      select id from report_file where organization_id = current_organization()
        and ${isLike(sql`name`, pattern)} limit ${most}`,
    subtitle: joined(sql`'STIX ' || ${listedVersions}`, sql`to_char(r.uploaded_at, 'YYYY-MM-DD')`),
  },
};

interface Patterns {
  /** Names that begin with the text. */
  begins: string;
  /** Names that contain it; below three characters of a script with blanks, a word of which begins with it. */
  holds: string;
  /** Whether `holds` also matches all names that begin with the text. */
  complete: boolean;
}

function patternsOf(text: string): Patterns {
  const anywhere = contains(text);
  const begins = anywhere.slice(1);
  const complete = Array.from(text).length >= trigram || withoutBlanks.test(text);
  return { begins, holds: complete ? anywhere : `% ${begins}`, complete };
}

/** A text in lower case, in which the two forms of the Greek small sigma are one letter. */
const folded = (text: RawBuilder<unknown>) => sql`translate(lower(${text}::text), 'ς', 'σ')`;

/** The rank of the row `r`: 0 has this name or identifier, 1 begins with the text, 2 contains it. */
function rankOf({ identifier, named }: SearchSource, { text, ids }: SearchText): RawBuilder<number> {
  const begins = (column: string) =>
    sql<boolean>`starts_with(${folded(sql.ref(`r.${column}`))}, ${folded(sql`${text}`)})`;
  const isNamed = [
    sql`${folded(sql`r.name`)} = ${folded(sql`${text}`)}`,
    ...(identifier && named ? [sql`${sql.ref(`r.${identifier}`)} = any (${named(ids)}::text[])`] : []),
    ...(identifier === 'cve_id' && ids.cwe ? [sql`r.cwe @> array[${ids.cwe}]`] : []),
  ];
  const isBeginning = [begins('name'), ...(identifier ? [begins(identifier)] : [])];
  return sql`case when ${sql.join(isNamed, sql` or `)} then 0 when ${sql.join(isBeginning, sql` or `)} then 1 else 2 end`;
}

/** Usual spellings of a name, for an index that is case-sensitive. */
function spellingsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const first = lower.charAt(0).toUpperCase() + lower.slice(1);
  const every = lower.replaceAll(/(?<![\p{L}\p{N}])\p{L}/gu, (initial) => initial.toUpperCase());
  return [...new Set([text, lower, text.toUpperCase(), first, every])];
}

/**
 * Records of a noun by name or identifier: those that the text names first, then names that begin with it, then names
 * that contain it (below three characters of a script with blanks: that have a word which begins with it). When they are
 * too many to be counted, those that it names and some that begin with it are selected separately, so that they come first.
 */
export async function searchRecords(
  trx: OrganizationTransaction,
  noun: SearchNoun,
  wanted: SearchText,
): Promise<FoundRecords> {
  const source = sources[noun];
  const { begins, holds, complete } = patternsOf(wanted.text);
  const isMany = sql`(select count(*) from holding) >= ${maxCounted}`;
  const some = sql`case when ${isMany} then ${maxRanked} else ${complete ? sql.lit(0) : maxCounted} end`;
  const ofIdentifier = (id: string) =>
    complete && id.includes(wanted.text.toUpperCase()) ? source.like(id, some) : source.like(id, maxCounted);
  const identifiers = source.named?.(wanted.ids) ?? [];
  const candidates = [
    sql`(select id from holding limit case when ${isMany} then ${maxRanked} end)`,
    sql`(${source.like(begins, some)})`,
    sql`(select id from ${sql.table(source.table)} where organization_id = current_organization() and name = any (${spellingsOf(wanted.text)}::text[]) limit ${maxRanked})`,
    ...identifiers.map((id) => sql`(${ofIdentifier(id)})`),
    ...(source.identifier === 'cve_id' && wanted.ids.cwe
      ? [sql`(select id from vulnerabilities_of_weakness(${wanted.ids.cwe}, ${maxCounted}) id)`]
      : []),
  ];
  const filter = source.filter?.(wanted.ids);
  const { rows } = await sql<
    FoundRecords['items'][number] & { rank: number; total: number; filtered: number }
  >`
    with holding as materialized (${source.like(holds, maxCounted)}),
    found as materialized (select id from (${sql.join(candidates, sql` union all `)}) candidate group by id)
    select r.id, r.name as title, ${source.subtitle} as subtitle, ${rankOf(source, wanted)} as rank,
      case when ${isMany} then ${maxCounted} else least((select count(*) from found), ${maxCounted}) end::int as total,
      least(${filter?.count ?? sql.lit(0)}, ${maxCounted})::int as filtered
    from found join ${sql.table(source.table)} r on r.organization_id = current_organization() and r.id = found.id
    order by rank, r.name, r.id limit ${maxShown}`.execute(trx);
  const { total = 0, rank = 0, filtered = 0 } = rows[0] ?? {};
  return {
    total,
    rank,
    items: rows.map(({ id, title, subtitle }) => ({ id, title, subtitle })),
    ...(filter && filtered > 0 && { byId: { field: filter.field, values: filter.values, total: filtered } }),
  };
}
