import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { countOverview } from '@riskboard/testing';
import { Client } from 'pg';
import type { Stored, StoredFile } from './history.ts';

type Read = <T>(statement: string) => Promise<T[]>;

const fileStatement = `
  select f.id, f.name, encode(f.sha256, 'hex') as sha256,
    (select array_agg(c.data order by c.n) from file_chunk c where c.content_id = f.content_id) as chunks,
    f.vulnerability_count as vulnerabilities, f.threat_count as threats,
    (select count(*)::int from report_record r where r.file_id = f.id and r.vulnerability_id is not null)
      as "countedVulnerabilities",
    (select count(*)::int from report_record r where r.file_id = f.id and r.threat_id is not null) as "countedThreats",
    (select state from job j where j.id = f.parse_job_id) as "parseState",
    (select count(*)::int from activity a where a.noun_id = f.id and a.action = 'report.extracted') as extractions,
    (select count(*)::int from job j where j.file_id = f.id and j.kind = 'stix.extract' and j.state = 'succeeded')
      as "succeededExtractions"
  from report_file f order by f.name`;

/** Records that clients enter have this name; all others come from reports. */
const entered = `name like 'Soak record %'`;

const orphanStatement = `
  select 'vulnerability ' || id || ' belongs to no report' as text from vulnerability v
  where not ${entered} and not exists (select from report_record r where r.vulnerability_id = v.id)
  union all
  select 'threat ' || id || ' belongs to no report' from threat t
  where not exists (select from report_record r where r.threat_id = t.id)
  union all
  select 'content ' || id || ' belongs to no file' from file_content c
  where complete and not exists (select from report_file f where f.content_id = c.id)`;

const doubleStatement = `
  select 'vulnerability ' || cve_id || ' exists ' || count(*) || ' times' as text from vulnerability
  where not ${entered} and cve_id <> '' group by cve_id having count(*) > 1
  union all
  select 'threat ' || key || ' exists ' || count(*) || ' times' from threat group by key having count(*) > 1`;

type ReadFile = Omit<StoredFile, 'contentSha256'> & { chunks: Buffer[] | null };

/** SHA-256 of the bytes of a report, whose chunks are compressed one by one. */
function hashOf(chunks: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(zstdDecompressSync(chunk));
  return hash.digest('hex');
}

/** Reads everything that the checker compares with the history. */
export async function readStored(adminUrl: string): Promise<Stored> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const read: Read = async <T>(statement: string) => (await client.query(statement)).rows as T[];
  const texts = async (statement: string) =>
    (await read<{ text: string }>(statement)).map(({ text }) => text);
  try {
    await client.query('begin isolation level repeatable read');
    return {
      type: 'stored',
      files: (await read<ReadFile>(fileStatement)).map(({ chunks, ...file }) => ({
        ...file,
        contentSha256: hashOf(chunks ?? []),
      })),
      records: await read(`select id, name, description, version from vulnerability where ${entered}`),
      jobs: await read('select id, kind, state, version, attempt, error_code as error from job'),
      uploadEntries: Object.fromEntries(
        (
          await read<{ sha256: string; count: number }>(
            `select detail ->> 'sha256' as sha256, count(*)::int as count from activity
             where action in ('report.uploaded', 'report.replaced') group by 1`,
          )
        ).map(({ sha256, count }) => [sha256, count]),
      ),
      orphans: await texts(orphanStatement),
      doubles: await texts(doubleStatement),
      overviewDifferences: await overviewDifferences(read),
    };
  } finally {
    await client.end();
  }
}

interface Total {
  measure: string;
  bucket: string;
  count: number;
  sum: number;
}

async function overviewDifferences(read: Read): Promise<string[]> {
  const kept = await read<Total>(`
    select measure, bucket, sum(count)::int as count, sum(sum)::float8 as sum from (
      select measure, bucket, count, sum from overview_total
      union all
      select measure, bucket, count, sum from overview_entry) entries
    group by measure, bucket having sum(count) <> 0 or sum(sum) <> 0`);
  const texts = (totals: readonly Total[]) =>
    new Map(totals.map(({ measure, bucket, count, sum }) => [`${measure} ${bucket}`, `${count} (${sum})`]));
  const counted = [...(await countOverview(read))].flatMap(([measure, buckets]) =>
    [...buckets].map(([bucket, { count, sum }]) => ({ measure, bucket, count, sum })),
  );
  const [stored, recounted] = [texts(kept), texts(counted)];
  return [...new Set([...stored.keys(), ...recounted.keys()])]
    .filter((key) => stored.get(key) !== recounted.get(key))
    .map(
      (key) => `The overview has ${key}: ${stored.get(key) ?? 0}; a recount has ${recounted.get(key) ?? 0}.`,
    );
}
