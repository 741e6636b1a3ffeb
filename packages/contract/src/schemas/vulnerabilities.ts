import { vulnerabilityEntity } from '../entities/vulnerability.ts';
import { bulkSchema, changeSchema, detailSchema, newSchema, rowSchema } from './entity.ts';
import { ShortText } from './record-fields.ts';
import { vulnerabilityCategories } from '@riskboard/domain';
import type { SchemaTable } from '../endpoint.ts';
import { vulnerabilityList } from '../vulnerabilities.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams } from './common.ts';
import { Amount, Facets, Flag, listFields, listSchemas } from './list.ts';
import { BulkUpdated, Graph, RecordSources, Restore, Restored, Revert, importableFields } from './records.ts';
import { z } from 'zod';

const { fields } = vulnerabilityEntity;

/** A vulnerability in a list. */
export const Vulnerability = rowSchema(fields).meta({ id: 'Vulnerability' });
export type Vulnerability = z.infer<typeof Vulnerability>;

/** A vulnerability with all its fields. `version` is the ETag. */
export const VulnerabilityDetail = detailSchema(fields)
  .extend(importableFields)
  .meta({ id: 'VulnerabilityDetail' });
export type VulnerabilityDetail = z.infer<typeof VulnerabilityDetail>;

const categoryIds = new Map(
  Object.entries(vulnerabilityCategories).map(([id, name]) => [name.toLowerCase(), Number(id)]),
);
/** The category by name; where the number is given as well, the number counts. */
const Category = ShortText.refine(
  (name) => name === '' || categoryIds.has(name.toLowerCase()),
  `Use one of ${Object.values(vulnerabilityCategories).join(', ')}.`,
).optional();

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
export const BulkVulnerabilityChange = bulkSchema(fields);

export const vulnerabilityListSchemas = listSchemas(vulnerabilityList, {
  /** What that report asserts. */
  fileId: Id,
  /** What is related to that asset. */
  assetId: Id,
  /** Only those with a source file: the data list (spec 5, Lists). */
  imported: Flag,
  /** Without the bound itself, as the metric cards count (spec 9, Vulnerability metrics). */
  severityAbove: Amount,
});

export const vulnerabilitySchemas = {
  list: {
    query: vulnerabilityListSchemas.query,
    reply: { 200: z.object({ vulnerabilities: z.array(Vulnerability), ...listFields }) },
  },
  facets: {
    query: vulnerabilityListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    query: vulnerabilityListSchemas.exportQuery,
    reply: { 200: null },
  },
  metrics: {
    reply: {
      200: z.object({
        total: z.int(),
        open: z.int(),
        critical: z.int(),
        high: z.int(),
        fixed: z.int(),
        new: z.int(),
        /** Mean CVSS of those that have one; null: none has. */
        averageCvss: z.number().nullable(),
      }),
    },
  },
  fromReports: {
    query: vulnerabilityListSchemas.query,
    reply: { 200: z.object({ items: z.array(Vulnerability), ...listFields }) },
  },
  create: {
    body: NewVulnerability,
    reply: { 201: VulnerabilityDetail },
  },
  get: {
    params: IdParams,
    reply: { 200: VulnerabilityDetail },
  },
  update: {
    params: IdParams,
    body: VulnerabilityChange,
    reply: { 200: VulnerabilityDetail },
  },
  delete: {
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    body: vulnerabilityListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  updateMany: {
    body: z.intersection(vulnerabilityListSchemas.selection, z.object({ change: BulkVulnerabilityChange })),
    reply: { 200: BulkUpdated, 202: Accepted },
  },
  restore: {
    body: Restore,
    reply: { 200: Restored },
  },
  sources: {
    params: IdParams,
    reply: { 200: RecordSources },
  },
  revert: {
    params: IdParams,
    body: Revert,
    reply: { 200: VulnerabilityDetail },
  },
  graph: {
    params: IdParams,
    reply: { 200: Graph },
  },
} satisfies SchemaTable;
