import type { MappedObject, MappedRecord, MappedRelation } from '@riskboard/domain';
import type { OutcomesByType } from './outcomes-by-type.ts';

export interface ReportObject {
  /** 0-based position in the file. */
  ordinal: number;
  type: string;
  stixId: string | null;
  /** JSON pointer (`/objects/12`) or XPath (`/stix:STIX_Package/stix:TTPs[1]/stix:TTP[3]`). */
  location: string;
  outcome: MappedObject['outcome'];
  /** Why the object was not mapped, for the user; null when mapped. */
  reason: string | null;
}

export type ReportRecord = MappedRecord & {
  /** Of its object. */
  ordinal: number;
  /** Its object: a part of a 1.x construct may have a type and an id of its own. */
  object: Pick<ReportObject, 'type' | 'stixId'>;
  /** As known when the object was read; the summary has the version of the file. */
  stixVersion: string | null;
  location: string;
};

export type ReportRelation = MappedRelation & {
  ordinal: number;
  /** Of the object that states it. */
  stixId: string | null;
  location: string;
};

/** Receives the results of a reader. */
export interface ReportSink {
  /** Once for every object (2.x object, 1.x construct definition), in file order. */
  object(object: ReportObject): void;
  /** Zero or more for a mapped object, right after its object(). */
  record(record: ReportRecord): void;
  /** Relationships that tie a threat to a vulnerability. */
  relation(relation: ReportRelation): void;
  /** Awaited after every piece of the input (`piecesOf`): back-pressure. */
  flush(): Promise<void>;
}

export interface ReportWarning {
  code: string;
  message: string;
  /** Of the first finding. */
  location?: string;
  count: number;
}

export interface ReportSummary {
  media: 'json' | 'xml';
  /** 'bundle', 'single-object', 'object-list', 'taxii2.1-envelope', 'STIX_Package', 'taxii1.1:Poll_Response', ... */
  wrapper: string;
  /**
   * '2.1', '1.2', or several of a TAXII 1.x message joined by commas; null when the file contains nothing with a
   * version.
   */
  stixVersion: string | null;
  objectTotal: number;
  mapped: number;
  unmapped: number;
  failed: number;
  byType: OutcomesByType;
  warnings: ReportWarning[];
}
