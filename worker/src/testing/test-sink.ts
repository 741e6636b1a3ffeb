import { createHash } from 'node:crypto';
import type { VulnerabilityData } from '@riskboard/domain';
import { readReport } from '../stix/read-report.ts';
import type { ReportObject, ReportRecord, ReportRelation, ReportSummary } from '../stix/report-sink.ts';

export interface ReadResult {
  /** `objects`: their number by type. */
  summary: Omit<ReportSummary, 'byType'> & { objects: Record<string, number> };
  objects: ReportObject[];
  records: ReportRecord[];
  relations: ReportRelation[];
}

/** The bytes in chunks of a size, as an upload would bring them. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a whole report into memory. */
export async function readAll(
  content: string | Uint8Array,
  chunkSize = 1 << 20,
  name?: string,
): Promise<ReadResult> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const objects: ReportObject[] = [];
  const records: ReportRecord[] = [];
  const relations: ReportRelation[] = [];
  const sink = {
    object: (object: ReportObject) => void objects.push(object),
    record: (record: ReportRecord) => void records.push(record),
    relation: (relation: ReportRelation) => void relations.push(relation),
    flush: async () => {},
  };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const read = await readReport(() => inChunks(bytes, chunkSize), sink, { sha256, name });
  const { byType, warnings, ...counts } = read;
  return {
    summary: { ...counts, objects: byType.histogram(), warnings },
    objects,
    records,
    relations,
  };
}

const later = (a: ReportRecord, b: ReportRecord): boolean => (a.modified ?? '') >= (b.modified ?? '');

/** Of several versions of one object the greatest `modified` stays, of equal ones the last (mapping section 2). */
function newestVersions(records: readonly ReportRecord[]): ReportRecord[] {
  const newest = new Map<string, ReportRecord>();
  for (const record of records) {
    const known = record.stixId === null ? undefined : newest.get(record.stixId);
    if (record.stixId !== null && (known === undefined || later(record, known))) {
      newest.set(record.stixId, record);
    }
  }
  return records.filter(({ stixId, ordinal }) => stixId === null || newest.get(stixId)?.ordinal === ordinal);
}

/** What the job does in SQL: newest versions, then one record a key with the first value of each field. */
export function resolve(records: readonly ReportRecord[]): ReportRecord[] {
  const merged = new Map<string, ReportRecord>();
  for (const record of newestVersions(records)) {
    const first = merged.get(record.key);
    if (first === undefined) merged.set(record.key, record);
    else {
      const data = { ...record.data, ...first.data } as VulnerabilityData;
      data.sourceIds = [...(first.data.sourceIds ?? []), ...(record.data.sourceIds ?? [])];
      merged.set(record.key, { ...first, data });
    }
  }
  return [...merged.values()];
}
