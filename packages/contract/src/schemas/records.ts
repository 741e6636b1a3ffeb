import { formatCount } from '@riskboard/domain';
import { sourceTextMax } from '../entities/field.ts';
import { graphKinds, mostRelated, mostSources } from '../records.ts';
import { Id, Time } from './common.ts';
import { RelatedTotal } from './record-fields.ts';
import { z } from 'zod';

/** What the detail of a record that reports can bring has beyond its fields. */
export const reportedFields = {
  /** What reports say beyond the record's fields: references, aliases, all CVSS claims, TLP. */
  details: z.record(z.string(), z.unknown()),
  /** Fields that a user changed on an imported record, except those that were set back to what the reports say. */
  editedFields: z.array(z.string()),
  /** It came from a report, and can be reverted to what reports say. */
  imported: z.boolean(),
  relatedAssetTotal: RelatedTotal,
};

/** Values that an object of a report asserts for a record, by field, with its location in the file. */
export const RecordSource = z.object({
  fileId: Id,
  file: z.string(),
  uploadedAt: Time,
  location: z.string(),
  type: z.string(),
  stixId: z.string().nullable(),
  modified: Time.nullable(),
  state: z.enum(['active', 'revoked', 'deprecated']),
  /** The object that counts first: the record has its values. */
  current: z.boolean(),
  /** Fields that the objects before this one leave empty: the record has their values of this object (decision 69). */
  fills: z.array(z.string()),
  fields: z
    .record(z.string(), z.unknown())
    .describe(
      `Of each text the first ${formatCount(sourceTextMax)} characters, followed by \`…\` where the report has more.`,
    ),
});
export type RecordSource = z.infer<typeof RecordSource>;

/** At most 100 sources of a record, in the order in which they count; `total` counts all. */
export const RecordSources = z.object({
  sources: z.array(RecordSource).max(mostSources),
  /** Number of sources. */
  total: z.int(),
  /** Number of reports that assert the record; a report may have several sources. */
  reportTotal: z.int(),
  /** Fields that a person changed. */
  editedFields: z.array(z.string()),
});
export type RecordSources = z.infer<typeof RecordSources>;

/** Fields to revert; absent: every field that a user changed. */
export const Revert = z.object({ fields: z.array(z.string().max(60)).min(1).max(50).optional() });

export const BulkUpdated = z.object({
  success: z.literal(true),
  updatedCount: z.int(),
  /** Records that already had the requested values. */
  unchangedCount: z.int(),
  /** Assets whose relations to the records changed; absent when no relation changed. */
  assetIds: z.array(Id).optional(),
  message: z.string(),
});

export const Restore = z.object({ ids: z.array(Id).min(1).max(1000) });

export const Restored = z.object({ success: z.literal(true), restoredCount: z.int(), message: z.string() });

/**
 * Vulnerabilities that reports relate a threat to, or threats that they relate a vulnerability to: at most 100, by name;
 * `total` counts all. A relation is stated by STIX relationships `exploits`, `targets` and `has`, and by 1.x Exploit_Targets.
 */
export const RelatedRecords = z
  .object({
    related: z
      .array(
        z.object({
          _id: Id,
          name: z.string(),
          /** CVSS or severity of a vulnerability (0-10), risk level of a threat (0-100); null: unknown. */
          score: z.number().nullable(),
          /** By relationship type, newest report first; at most 5 of a type. */
          relations: z.array(z.object({ type: z.string(), fileId: Id, file: z.string() })).min(1),
          /** Number of relations with the record, each report and type counted once. */
          relationTotal: z.int(),
        }),
      )
      .max(mostRelated),
    total: z.int(),
  })
  .meta({ id: 'RelatedRecords' });
export type RelatedRecords = z.infer<typeof RelatedRecords>;

/**
 * At most 2,000 nodes and 20,000 edges; `more` says that there may be others. Of too many edges, those of the record and one
 * of each other record come first.
 */
export const Graph = z
  .object({
    nodes: z.array(
      z.object({
        _id: Id,
        kind: z.enum(graphKinds),
        name: z.string(),
        /** 0-10: CVSS or severity, a threat's risk level / 10, an asset's risk score; null: unknown. */
        score: z.number().nullable(),
        /** Risk level of a threat, 0-100; null: unknown, or another kind. */
        riskLevel: z.number().nullable(),
        /** The record that the graph is about. */
        centre: z.boolean(),
      }),
    ),
    edges: z.array(z.object({ source: Id, target: Id, label: z.string() })),
    more: z.boolean(),
  })
  .meta({ id: 'Graph' });
export type Graph = z.infer<typeof Graph>;
