import {
  chooseCvss,
  cleanData,
  cleanText,
  warningMessages,
  type MappedObject,
  type MappedRecord,
  type VulnerabilityData,
  type WarningCode,
} from '@riskboard/domain';
import { cvssBaseScore } from '@riskboard/cvss';
import type { ReportObject, ReportSink, ReportSummary, ReportWarning } from './report-sink.ts';

/** Types beyond this number are counted together: a hostile file could have a new type in every object. */
const mostTypes = 1000;
export const otherTypes = '(other)';

export interface ReadObject {
  ordinal: number;
  type: string;
  stixId: string | null;
  location: string;
  stixVersion: string | null;
}

/** Passes objects and their records to the sink, cleaned and scored, and counts the objects of the file. */
export class ReportWriter {
  readonly #sink: ReportSink;
  readonly #warnings = new Map<WarningCode, ReportWarning>();
  readonly #types = new Map<string, number>();
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
      const at = location === undefined ? {} : { location };
      this.#warnings.set(code, { code, message: warningMessages[code], ...at, count: 1 });
    }
  }

  write(object: ReadObject, { outcome, reason, records, relations }: MappedObject): void {
    const { ordinal, location, stixVersion } = object;
    const type = cleanText(object.type);
    const stixId = object.stixId === null ? null : cleanText(object.stixId);
    this.#outcomes[outcome] += 1;
    this.#count(type);
    const found: ReportObject = { ordinal, type, stixId, location: cleanText(location), outcome, reason };
    this.#sink.object(found);
    for (const record of records) {
      this.#sink.record({
        ...this.#finished(record, location),
        ordinal,
        stixVersion,
        location: found.location,
      });
    }
    for (const relation of relations) {
      this.#sink.relation({ ...cleanData(relation, () => this.warn('text-cleaned', location)), ordinal });
    }
  }

  summary(head: Pick<ReportSummary, 'media' | 'wrapper' | 'stixVersion'>): ReportSummary {
    const objects = Object.fromEntries(this.#types);
    const warnings = [...this.#warnings.values()];
    return { ...head, objectTotal: this.objectTotal, ...this.#outcomes, objects, warnings };
  }

  #finished(record: MappedRecord, location: string): MappedRecord {
    const clean = cleanData(record, () => this.warn('text-cleaned', location));
    if (clean.kind === 'vulnerability') this.#score(clean.data, location);
    return clean;
  }

  #score(data: VulnerabilityData, location: string): void {
    if (data.cvss === undefined) return;
    Object.assign(
      data,
      chooseCvss(data.cvss, cvssBaseScore, (code) => this.warn(code, location)),
    );
  }

  #count(type: string): void {
    const key = this.#types.has(type) || this.#types.size < mostTypes ? type : otherTypes;
    this.#types.set(key, (this.#types.get(key) ?? 0) + 1);
  }
}
