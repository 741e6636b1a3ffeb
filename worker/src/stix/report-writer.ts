import { createHash } from 'node:crypto';
import {
  boundData,
  boundedType,
  chooseCvss,
  cleanText,
  failed,
  formatCount,
  shortened,
  warningMessages,
  type MappedObject,
  type VulnerabilityData,
  type WarningCode,
} from '@riskboard/domain';
import { cvssBaseScore } from '@riskboard/cvss';
import { OutcomesByType } from './outcomes-by-type.ts';
import type { ReportSink, ReportSummary, ReportWarning } from './report-sink.ts';

export interface ReadObject {
  ordinal: number;
  type: string;
  stixId: string | null;
  location: string;
  stixVersion: string | null;
}

/** Characters of an id, a location or a reason that are kept: a page of the import report has those of 500 objects. */
const longestText = 2000;

/** Characters of the data of all records of one object, when it has several: each has a copy of what they share. */
const mostRepeated = 8 * 1024 * 1024;

/** Records of an object whose data is not measured. */
const fewRecords = 8;

/** Characters of a record's name: an index holds it, and its entries hold at most 2,704 bytes (PostgreSQL). */
const longestName = 500;

const boundedText = (text: string): string => shortened(text, longestText);

/** A longer id ends with its hash, so that it stays different from others. */
function boundedId(id: string): string;
function boundedId(id: string | null): string | null;
function boundedId(id: string | null): string | null {
  if (id === null || id.length <= longestText) return id;
  return `${boundedText(id)} sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/** Fails an object whose records would repeat its texts too often. */
function withoutCopies(result: MappedObject): MappedObject {
  const { records } = result;
  if (records.length <= fewRecords) return result;
  let size = 0;
  for (const { data } of records) {
    size += JSON.stringify(data).length;
    if (size > mostRepeated)
      return failed(
        `The texts of the object are too long to be copied to its ${formatCount(records.length)} records`,
      );
  }
  return result;
}

/**
 * Passes objects and their records to the sink, scored, and counts the objects of the file. Every text of a record can be
 * stored: the JSON reader fails objects with forbidden characters, and XML cannot contain any.
 */
export class ReportWriter {
  readonly #sink: ReportSink;
  readonly #warnings = new Map<WarningCode, ReportWarning>();
  readonly #types = new OutcomesByType();
  readonly #outcomes = { mapped: 0, unmapped: 0, failed: 0 };

  constructor(sink: ReportSink) {
    this.#sink = sink;
  }

  get objectTotal(): number {
    const { mapped, unmapped, failed } = this.#outcomes;
    return mapped + unmapped + failed;
  }

  warn(code: WarningCode, location?: string): void {
    const known = this.#warnings.get(code);
    if (known !== undefined) known.count += 1;
    else {
      const at = location === undefined ? {} : { location: boundedText(location) };
      this.#warnings.set(code, { code, message: warningMessages[code], ...at, count: 1 });
    }
  }

  write(object: ReadObject, result: MappedObject): void {
    const { ordinal, stixVersion } = object;
    const location = boundedText(object.location);
    for (const { data } of result.records) boundData(data, (code) => this.warn(code, location));
    const { outcome, reason: stated, records, relations } = withoutCopies(result);
    const reason = stated === null ? null : boundedText(stated);
    const type = boundedType(cleanText(object.type));
    const stixId = object.stixId === null ? null : boundedId(cleanText(object.stixId));
    this.#outcomes[outcome] += 1;
    this.#types.add({ type, outcome, reason });
    this.#sink.object({ ordinal, type, stixId, location, outcome, reason });
    for (const record of records) {
      if (record.kind === 'vulnerability') this.#score(record.data, location);
      const name = this.#boundedName(record.name, location);
      this.#sink.record({
        ...record,
        name,
        stixId: boundedId(record.stixId),
        ordinal,
        object: { type, stixId },
        stixVersion,
        location,
      });
    }
    for (const relation of relations) {
      const ends = { sourceId: boundedId(relation.sourceId), targetId: boundedId(relation.targetId) };
      this.#sink.relation({ ...relation, ...ends, ordinal, stixId, location });
    }
  }

  summary(head: Pick<ReportSummary, 'media' | 'wrapper' | 'stixVersion'>): ReportSummary {
    const warnings = [...this.#warnings.values()];
    return { ...head, objectTotal: this.objectTotal, ...this.#outcomes, byType: this.#types, warnings };
  }

  #boundedName(name: string, location: string): string {
    if (name.length <= longestName) return name;
    this.warn('name-too-long', location);
    return shortened(name, longestName - 1);
  }

  #score(data: VulnerabilityData, location: string): void {
    if (data.cvss === undefined) return;
    Object.assign(
      data,
      chooseCvss(data.cvss, cvssBaseScore, (code) => this.warn(code, location)),
    );
  }
}
