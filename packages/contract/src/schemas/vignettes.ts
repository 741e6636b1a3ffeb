import { impactLayers, technicalImpacts } from '@riskboard/domain';
import { z } from 'zod';
import type { SchemaTable } from '../endpoint.ts';
import { mostMoves, vignetteList } from '../vignettes.ts';
import { Deleted, Id, IdParams, Name, Time } from './common.ts';
import { Exported, Facets, listFields, listSchemas } from './list.ts';

/** A rated cell of a scorecard; cells without a rating are absent (CWRAF 0.8.3, Technical Impact Scorecard). */
const ScorecardCell = z.object({
  impact: z.enum(technicalImpacts),
  layer: z.enum(impactLayers),
  subscore: z.number().min(0).max(10).describe('0-10.'),
  notes: z.string().max(20_000).default(''),
});

const Text = z.string().trim().max(20_000);
const Short = z.string().trim().max(200);
const Entries = z.array(z.string().trim().min(1).max(20_000)).max(200);

const Content = z.object({
  name: Name.max(200),
  /** The name of the vignette when empty. */
  scorecardName: Short,
  description: Text,
  domain: Short,
  maturity: Short,
  archetypes: Entries,
  businessValueContext: Text,
  notes: Text,
  references: Entries,
  /** Who wrote it. */
  origin: Short,
  scorecard: z.array(ScorecardCell).min(1, 'Rate at least one cell.').max(32),
});

/** What an analyst edits. The domain checks that each impact and layer is rated at most once. */
export const VignetteContent = Content.extend({
  scorecardName: Short.default(''),
  description: Text.default(''),
  domain: Short.default(''),
  maturity: Short.default(''),
  archetypes: Entries.default([]),
  businessValueContext: Text.default(''),
  notes: Text.default(''),
  references: Entries.default([]),
  origin: Short.default(''),
});
export type VignetteContent = z.output<typeof VignetteContent>;

/** A change of a vignette: any subset of its content. A field that is not sent keeps its value. */
export const VignetteChange = Content.partial();
export type VignetteChange = z.output<typeof VignetteChange>;

/** A vignette in a list. */
export const VignetteSummary = z
  .object({
    _id: Id,
    id: Id,
    name: z.string(),
    scorecardName: z.string(),
    origin: z.string(),
    originalFilename: z.string(),
    version: z.int(),
    ratedCells: z.int(),
    vulnerabilities: z.int(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'VignetteSummary' });
export type VignetteSummary = z.infer<typeof VignetteSummary>;

/** A vignette with its newest version; its ETag begins with the version. */
export const Vignette = VignetteSummary.extend(VignetteContent.shape)
  .extend({
    createdBy: Id.nullable(),
    updatedBy: Id.nullable(),
    versions: z
      .array(z.object({ version: z.int(), at: Time, by: z.string() }))
      .describe('Newest first, at most 100.'),
  })
  .meta({ id: 'Vignette' });
export type Vignette = z.infer<typeof Vignette>;

/** How the score of a vulnerability would move. Ranks count from 1, the highest score first; equal scores have one rank. */
const Move = z.object({
  _id: Id,
  name: z.string(),
  cveId: z.string(),
  cwe: z.array(z.string()),
  impactBefore: z
    .string()
    .nullable()
    .describe(
      'Null: the weaknesses have no impact that is mapped and rated, so that Technical Impact has its default.',
    ),
  impactAfter: z.string().nullable(),
  before: z.number(),
  after: z.number(),
  rankBefore: z.int(),
  rankAfter: z.int(),
});
export type VignetteMove = z.infer<typeof Move>;

/** What a scorecard would change; `calculated` = higher + lower + unchanged. */
export const VignettePreview = z.object({
  vulnerabilities: z.int().describe('Vulnerabilities of the organization.'),
  calculated: z
    .int()
    .describe(
      'Those that were calculated: at most 5,000, with the highest severity, then the newest. Ranks are among these.',
    ),
  higher: z.int(),
  lower: z.int(),
  unchanged: z.int(),
  meanBefore: z
    .number()
    .nullable()
    .describe('Mean scores before and after, one decimal; null without vulnerabilities.'),
  meanAfter: z.number().nullable(),
  moves: z.array(Move).max(mostMoves).describe('Those whose score moves, the largest difference first.'),
});
export type VignettePreview = z.infer<typeof VignettePreview>;

export const vignetteListSchemas = listSchemas(vignetteList);

export const vignetteSchemas = {
  list: {
    summary: 'Vignettes of the organization; search runs over name, scorecard and origin',
    query: vignetteListSchemas.query,
    reply: { 200: z.object({ items: z.array(VignetteSummary), ...listFields }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: vignetteListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: vignetteListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  upload: {
    summary: 'Upload a CWRAF vignette (.json); a vignette of the same name gets a new version',
    reply: {
      201: z.object({
        success: z.literal(true),
        action: z.enum(['created', 'replaced']),
        _id: Id,
        id: Id,
        name: z.string(),
        scorecardName: z.string(),
        version: z.int(),
        warnings: z.array(z.string()).describe('What was ignored or replaced while reading the file.'),
      }),
    },
  },
  create: { summary: 'Create a vignette', body: VignetteContent, reply: { 201: Vignette } },
  addStarters: {
    summary: 'Add the starter vignettes of Riskboard that are missing',
    reply: { 200: z.object({ created: z.int(), items: z.array(VignetteSummary) }) },
  },
  get: {
    summary: 'One vignette; its ETag begins with its version',
    params: IdParams,
    reply: { 200: Vignette },
  },
  version: {
    summary: 'An earlier version of a vignette',
    params: IdParams.extend({
      version: z.coerce
        .number()
        .int()
        .min(1)
        .max(2_000_000_000)
        .describe('Number of the version, from 1 on.'),
    }),
    reply: { 200: VignetteContent.extend({ version: z.int(), at: Time, by: z.string() }) },
  },
  update: {
    summary:
      'Save a new version with the fields that are sent; the others keep their values; a stale If-Match gets 412',
    params: IdParams,
    body: VignetteChange,
    reply: { 200: Vignette },
  },
  delete: {
    summary: 'Delete a vignette; scores that applied it stay and become stale',
    params: IdParams,
    reply: { 200: Deleted },
  },
  download: {
    summary: 'The vignette as a JSON file',
    params: IdParams,
    reply: { 200: { 'application/json': VignetteContent } },
  },
  preview: {
    summary:
      'How the vulnerabilities would move with another scorecard: at most 5,000, with the highest severity; nothing is stored',
    body: z.object({
      /**
       * The vignette before the change: its stored version is the one before. Absent for a new vignette: the scores before
       * are then those without a rating, with the default value of Technical Impact.
       */
      vignetteId: Id.optional(),
      scorecard: VignetteContent.shape.scorecard,
    }),
    reply: { 200: VignettePreview },
  },
} satisfies SchemaTable;
