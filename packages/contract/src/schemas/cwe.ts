import { cweKinds } from '@riskboard/domain';
import { catalogueOrigins, weaknessList } from '../cwe.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Accepted, Day, Id, Time } from './common.ts';
import { RefreshResult } from './jobs.ts';
import { Exported, Facets, listFields, listSchemas } from './list.ts';
import { z } from 'zod';

/** Another entry; `Views` are the numbers of the views in which the relation exists. */
const Related = z.object({ ID: z.string(), Name: z.string(), Views: z.array(z.string()) });
export type CweRelated = z.infer<typeof Related>;

const Consequence = z.object({
  Scope: z.array(z.string()),
  Impact: z.array(z.string()),
  Likelihood: z.string().describe('Of this outcome; empty where MITRE names none.'),
  Note: z.string(),
  TechnicalImpacts: z.array(z.string()).describe("CWRAF's technical impacts that its impacts mean."),
});
export type CweConsequence = z.infer<typeof Consequence>;

const Mitigation = z.object({
  Phase: z.array(z.string()),
  Strategy: z.string(),
  Description: z.string().describe('Paragraphs are separated by line breaks.'),
  Effectiveness: z.string(),
  EffectivenessNotes: z.string(),
});
export type CweMitigation = z.infer<typeof Mitigation>;

/** An entry of MITRE's catalogue (spec 3, CWE record). */
export const Cwe = z
  .object({
    ID: z.string().describe('Digits only.'),
    Name: z.string(),
    kind: z.enum(cweKinds),
    Abstraction: z.string().describe("Of a weakness; 'Category' and 'View' for the others."),
    Structure: z.string(),
    Status: z.string(),
    Description: z.string(),
    ExtendedDescription: z.string().describe('Paragraphs are separated by line breaks.'),
    Likelihood: z.string().describe('Of an exploit: High, Medium, Low; empty where MITRE names none.'),
    url: z.string(),
    Weaknesses: z
      .array(Related.extend({ Nature: z.string() }))
      .describe('All relations with other entries: how, and which. Each once; `Views`: in which views.'),
    Parents: z.array(Related),
    Children: z.array(Related),
    Members: z.array(Related).describe('Of a category or a view.'),
    MemberOf: z.array(Related).describe('Categories and views that it is a member of.'),
    Consequences: z.array(Consequence).describe('Consequences by scope, as MITRE lists them.'),
    Mitigations: z.array(Mitigation),
    MappingNotes: z
      .object({ Usage: z.string(), Rationale: z.string(), Comments: z.string() })
      .describe('Whether vulnerabilities may be mapped to it, and why.'),
    technicalImpacts: z
      .array(z.string())
      .describe('What a score uses: technical impacts of its consequences, or inherited from an ancestor.'),
    inheritedFrom: z
      .string()
      .nullable()
      .describe('Number of the nearest ancestor whose impacts these are; null: its own.'),
    note: z
      .string()
      .describe('Why it has no technical impact, or where they come from; empty, or a sentence.'),
    catalogueVersion: z
      .string()
      .describe(
        'Of the catalogue that the organization uses; this entry may come from the REST API, see `source`.',
      ),
    source: z.string().describe('Version of the catalogue, or another source.'),
    notice: z.string().describe("MITRE's copyright designation and terms."),
    /** Vulnerabilities of the organization that carry it: how many, and those with the highest severity. */
    vulnerabilities: z.object({
      total: z.int(),
      totalIsCapped: z.boolean(),
      items: z.array(z.object({ _id: Id, name: z.string(), severity: z.number().nullable() })),
    }),
  })
  .meta({ id: 'Cwe' });
export type Cwe = z.infer<typeof Cwe>;

/** An entry of the catalogue in the list. */
export const WeaknessSummary = z
  .object({
    ID: z.string().describe('Digits only.'),
    number: z.int(),
    name: z.string(),
    kind: z.enum(cweKinds),
    abstraction: z.string(),
    status: z.string(),
    likelihood: z.string(),
    vulnerabilities: z.int().describe('At most 10,000 are counted.'),
  })
  .meta({ id: 'WeaknessSummary' });
export type WeaknessSummary = z.infer<typeof WeaknessSummary>;

const CatalogueVersion = z.object({
  version: z
    .string()
    .describe(
      "Names it, as in '4.15'; an upload is '4.15 (upload 1)', with a number that no other one of the organization has had.",
    ),
  contentVersion: z.string().describe("MITRE's version of the content."),
  releasedOn: Day.nullable(),
  origin: z.enum(catalogueOrigins),
  fileName: z.string().describe('Of an uploaded catalogue; otherwise empty.'),
  weaknesses: z.int(),
  categories: z.int(),
  views: z.int(),
  /** When Riskboard stored it. */
  storedAt: Time,
});
export type CatalogueVersion = z.infer<typeof CatalogueVersion>;

/** The catalogue that the organization uses, and the others that it can choose. */
export const Catalogue = CatalogueVersion.extend({
  notice: z.string(),
  canRefresh: z.boolean().describe("Whether this instance may request MITRE's API (CWE_API_URL)."),
  newestVersion: z
    .string()
    .describe('The newest content that is stored here and visible to the organization.'),
  versions: z.array(CatalogueVersion).describe('Newest content first, with the one in use.'),
}).meta({ id: 'Catalogue' });
export type Catalogue = z.infer<typeof Catalogue>;

export const weaknessListSchemas = listSchemas(weaknessList);

export const cweSchemas = {
  list: {
    summary: 'Weaknesses, categories and views of the catalogue; search runs over id and name',
    query: weaknessListSchemas.query,
    reply: { 200: z.object({ items: z.array(WeaknessSummary), ...listFields }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: weaknessListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: weaknessListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  catalogue: {
    summary: 'The catalogue of weaknesses that the organization uses, and the versions that it can choose',
    reply: { 200: Catalogue },
  },
  choose: {
    summary: 'Choose a version of the catalogue; existing CWSS scores become stale',
    body: z.object({ version: z.string().min(1).max(100) }),
    reply: { 200: Catalogue },
  },
  refresh: {
    summary: 'Fetch the newest catalogue from MITRE as a job, and use it',
    reply: { 200: z.object({ result: RefreshResult, message: z.string() }), 202: Accepted },
  },
  upload: {
    summary:
      "Upload a catalogue and use it: MITRE's XML, its ZIP file, or JSON of the CWE REST API; 32 MiB at most",
    reply: { 201: Catalogue },
  },
  get: {
    summary: 'A weakness, category or view by its id: 79, CWE-79 or cwe79',
    params: z.object({
      id: z.string().max(40).describe('Number of a weakness, category or view, with or without `CWE-`.'),
    }),
    reply: { 200: Cwe },
  },
} satisfies SchemaTable;
