import { vulnerabilityEntity } from '../entities/vulnerability.ts';
import { bulkSchema, changeSchema, detailSchema, newSchema, relationChange, rowSchema } from './entity.ts';
import { ShortText } from './record-fields.ts';
import { vulnerabilityCategories } from '@riskboard/domain';
import type { SchemaTable } from '../endpoint.ts';
import { assetRelations, vulnerabilityList } from '../vulnerabilities.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams } from './common.ts';
import { Exported, Amount, Facets, Flag, listFields, listSchemas, timeBounds } from './list.ts';
import {
  BulkUpdated,
  Graph,
  RecordSources,
  RelatedRecords,
  Restore,
  Restored,
  Revert,
  reportedFields,
} from './records.ts';
import { Suggestions } from './suggestions.ts';
import { z } from 'zod';

const { fields } = vulnerabilityEntity;

/** A vulnerability in a list. */
export const Vulnerability = rowSchema(fields).meta({ id: 'Vulnerability' });
export type Vulnerability = z.infer<typeof Vulnerability>;

/** A vulnerability with all its fields. `version`: for `If-Match`. */
export const VulnerabilityDetail = detailSchema(fields)
  .extend(reportedFields)
  .meta({ id: 'VulnerabilityDetail' });
export type VulnerabilityDetail = z.infer<typeof VulnerabilityDetail>;

const categoryIds = new Map(
  Object.entries(vulnerabilityCategories).map(([id, name]) => [name.toLowerCase(), Number(id)]),
);
/** The category by name, in any case; where the number is given as well, the number counts. */
const Category = ShortText.refine(
  (name) => name === '' || categoryIds.has(name.toLowerCase()),
  `Use one of ${Object.values(vulnerabilityCategories).join(', ')}.`,
)
  .meta({ enum: ['', ...Object.values(vulnerabilityCategories)] })
  .optional();

interface Categorized {
  categoryId?: number | null | undefined;
  category?: string | undefined;
}

function withCategoryId<T extends Categorized>({ category, ...body }: T) {
  if (category === undefined || body.categoryId !== undefined) return body;
  return { ...body, categoryId: categoryIds.get(category.toLowerCase()) ?? null };
}

/** A vulnerability that a user enters (spec 5, Vulnerability). */
export const NewVulnerability = newSchema(fields).extend({ category: Category }).transform(withCategoryId);
/** Any subset of the fields. */
export const VulnerabilityChange = changeSchema(fields)
  .extend({ category: Category })
  .transform(withCategoryId);
/** What a bulk edit sets. */
export const BulkVulnerabilityChange = bulkSchema(fields, relationChange);

export const vulnerabilityListSchemas = listSchemas(vulnerabilityList, {
  fileId: Id.describe('What that report asserts.'),
  alert: Id.describe('What that alert reported.'),
  assetId: Id.describe('What is related to that asset.'),
  projectId: Id.describe('What is related to any asset of that project.'),
  vignetteId: Id.describe('Those whose newest score applies that vignette, under its former names too.'),
  imported: Flag.describe('`true`: only those with a source file.'),
  /** As the metric cards count (spec 9). */
  severityAbove: Amount.describe('More than this number.'),
  onAssets: z
    .enum(assetRelations)
    .describe(
      'Those that are related to an asset (`any`), or to one with a criticality of at least 4 (`mission-critical`).',
    ),
  statusChangedAtMin: timeBounds.from.describe(
    'Rows of which the status changed last at this time or later.',
  ),
  statusChangedAtMax: timeBounds.to.describe(
    'Rows of which the status changed last at this time or earlier.',
  ),
  severityChangedAtMin: timeBounds.from.describe(
    'Rows of which the severity changed last at this time or later.',
  ),
  severityChangedAtMax: timeBounds.to.describe(
    'Rows of which the severity changed last at this time or earlier.',
  ),
});

export const vulnerabilitySchemas = {
  list: {
    summary: 'Vulnerabilities of the organization',
    query: vulnerabilityListSchemas.query,
    reply: { 200: z.object({ vulnerabilities: z.array(Vulnerability), ...listFields }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: vulnerabilityListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: vulnerabilityListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  metrics: {
    summary: 'Counts over all vulnerabilities: Critical above 8, High above 6 up to 8 (spec 9)',
    reply: {
      200: z.object({
        total: z.int(),
        open: z.int(),
        critical: z.int(),
        high: z.int(),
        fixed: z.int(),
        new: z.int(),
        averageCvss: z.number().nullable().describe('Mean CVSS of those that have one; null: none has.'),
      }),
    },
  },
  fromReports: {
    summary: 'Vulnerabilities that a report asserts',
    query: vulnerabilityListSchemas.query,
    reply: { 200: z.object({ items: z.array(Vulnerability), ...listFields }) },
  },
  fromReportsFacets: {
    summary: 'Distinct values and counts of each filterable column of these under the other filters',
    query: vulnerabilityListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  create: { summary: 'Create a vulnerability', body: NewVulnerability, reply: { 201: VulnerabilityDetail } },
  get: {
    summary: 'One vulnerability; its ETag begins with its version',
    params: IdParams,
    reply: { 200: VulnerabilityDetail },
  },
  update: {
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
    params: IdParams,
    body: VulnerabilityChange,
    reply: { 200: VulnerabilityDetail },
  },
  delete: {
    summary: 'Delete a vulnerability; it can be restored for 30 days',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    summary: 'Delete these vulnerabilities or all that match; above 500 as a job',
    body: vulnerabilityListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    summary: 'Set status, category or related assets of these or all that match; above 500 as a job',
    body: z.intersection(vulnerabilityListSchemas.selection, z.object({ change: BulkVulnerabilityChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: {
    summary: 'Restore deleted vulnerabilities',
    body: Restore,
    reply: { 200: Restored },
  },
  sources: {
    summary: 'Values that each report asserts, with their location in the report',
    params: IdParams,
    reply: { 200: RecordSources },
  },
  revert: {
    summary: 'Revert fields that a user changed to the values of the reports',
    params: IdParams,
    body: Revert,
    reply: { 200: VulnerabilityDetail },
  },
  suggestions: {
    summary: 'Assets that the vulnerability may concern, with the reasons',
    params: IdParams,
    reply: { 200: z.object({ assets: Suggestions }) },
  },
  related: {
    summary: 'Threats that reports relate to the vulnerability, by name, with the reports',
    params: IdParams,
    reply: { 200: RelatedRecords },
  },
  graph: {
    summary:
      'The vulnerability, its related assets, other records related to those assets, and threats that reports relate to it',
    params: IdParams,
    reply: { 200: Graph },
  },
} satisfies SchemaTable;
