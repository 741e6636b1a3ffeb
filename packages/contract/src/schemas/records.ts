import { formatCount } from '@riskboard/domain';
import { sourceTextMax } from '../entities/field.ts';
import { graphKinds, mostRelated, mostSources } from '../records.ts';
import { Id, Time } from './common.ts';
import { RelatedTotal } from './record-fields.ts';
import { z } from 'zod';

/** What the detail of a record that reports can bring has beyond its fields. */
export const reportedFields = {
  details: z
    .record(z.string(), z.unknown())
    .describe("What reports say beyond the record's fields: references, aliases, all CVSS claims, TLP."),
  editedFields: z
    .array(z.string())
    .describe(
      'Fields that a user changed on an imported record, except those that were set back to what the reports say.',
    ),
  imported: z.boolean().describe('It came from a report, and can be reverted to what reports say.'),
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
  current: z.boolean().describe('The object that counts first: the record has its values.'),
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
  total: z.int().describe('Number of sources.'),
  reportTotal: z
    .int()
    .describe('Number of reports that assert the record; a report may have several sources.'),
  editedFields: z.array(z.string()).describe('Fields that a person changed.'),
});
export type RecordSources = z.infer<typeof RecordSources>;

/** Fields to revert; absent: every field that a user changed. */
export const Revert = z.object({ fields: z.array(z.string().max(60)).min(1).max(50).optional() });

export const BulkUpdated = z.object({
  success: z.literal(true),
  updatedCount: z.int(),
  unchangedCount: z.int().describe('Records that already had the requested values.'),
  assetIds: z
    .array(Id)
    .optional()
    .describe('Assets whose relations to the records changed; absent when no relation changed.'),
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
          score: z
            .number()
            .nullable()
            .describe(
              'CVSS or severity of a vulnerability (0-10), risk level of a threat (0-100); null: unknown.',
            ),
          relations: z
            .array(z.object({ type: z.string(), fileId: Id, file: z.string() }))
            .min(1)
            .describe('By relationship type, newest report first; at most 5 of a type.'),
          relationTotal: z
            .int()
            .describe('Number of relations with the record, each report and type counted once.'),
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
        score: z
          .number()
          .nullable()
          .describe(
            "0-10: CVSS or severity, a threat's risk level / 10, an asset's risk score; null: unknown.",
          ),
        riskLevel: z
          .number()
          .nullable()
          .describe('Risk level of a threat, 0-100; null: unknown, or another kind.'),
        centre: z.boolean().describe('The record that the graph is about.'),
      }),
    ),
    edges: z.array(z.object({ source: Id, target: Id, label: z.string() })),
    more: z.boolean(),
  })
  .meta({ id: 'Graph' });
export type Graph = z.infer<typeof Graph>;
