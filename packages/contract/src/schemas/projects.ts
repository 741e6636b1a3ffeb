import { projectEntity } from '../entities/project.ts';
import { AssetEdge, GraphAsset } from './assets.ts';
import { changeSchema, detailSchema, newSchema } from './entity.ts';
import type { SchemaTable } from '../endpoint.ts';
import { projectList } from '../projects.ts';
import { Accepted, BulkDeleted, Day, Deleted, Id, IdParams } from './common.ts';
import { Exported, Facets, listFields, listSchemas, searchText } from './list.ts';
import { Restore, Restored } from './records.ts';
import { z } from 'zod';

const { fields } = projectEntity;

/** A project: a list has all of its fields, with the beginning of long texts. */
export const Project = detailSchema(fields).meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

/** A new project. */
export const NewProject = newSchema(fields);

/** Assets of a project with their relations. At most 2,000 nodes, 500 of them of other projects, and 20,000 edges. */
export const ProjectMap = z
  .object({
    nodes: z
      .array(GraphAsset.extend({ projectId: Id, projectName: z.string() }))
      .describe(
        'Highest score first: assets of the project, then those of other projects that are related to them.',
      ),
    edges: z.array(AssetEdge),
    total: z.int().describe('Assets of the project, those that the map leaves out included.'),
    leftOut: z.int().describe('Assets of the project that the map leaves out, those with the lowest scores.'),
    truncated: z.boolean().describe('Assets, also of other projects, or edges are left out.'),
  })
  .meta({ id: 'ProjectMap' });
export type ProjectMap = z.infer<typeof ProjectMap>;

export const projectListSchemas = listSchemas(projectList);

/** Counts of the project dashboard; each equals the total of the list that its card opens (spec 2). */
export const ProjectMetrics = z.object({
  active: z.int(),
  completed: z.int(),
  onHold: z.int(),
  assets: z.int().describe('All assets, threats and vulnerabilities of the organization.'),
  threats: z.int(),
  vulnerabilities: z.int(),
});
export type ProjectMetrics = z.infer<typeof ProjectMetrics>;

/** What is at risk in a project. A threat or vulnerability that is related to several of its assets counts once. */
export const ProjectRisk = z.object({
  assets: z.object({
    total: z.int(),
    byHealth: z.object({ Healthy: z.int(), Warning: z.int(), Critical: z.int() }),
    /** Below 3 low, below 7 medium, otherwise high (spec 9, Assets). */
    byScore: z.object({ low: z.int(), medium: z.int(), high: z.int() }),
  }),
  vulnerabilities: z.object({
    total: z.int(),
    open: z.int().describe('With status open.'),
    /** The open ones; `none`: without a severity. */
    bySeverity: z.object({
      critical: z.int(),
      high: z.int(),
      medium: z.int(),
      low: z.int(),
      none: z.int(),
    }),
  }),
  threats: z.object({
    total: z.int(),
    byRisk: z
      .object({ high: z.int(), medium: z.int(), low: z.int(), none: z.int() })
      .describe('`none`: without a risk level.'),
  }),
});
export type ProjectRisk = z.infer<typeof ProjectRisk>;

/** What the deletion of a project deletes, and what only loses its relations (contract, Deleting a project). */
export const ProjectDeletion = z.object({
  assets: z.int().describe('Deleted with the project.'),
  dependencies: z
    .int()
    .describe('Dependencies between these assets, and with assets of other projects; deleted.'),
  relations: z.int().describe('Relations of these assets to threats and vulnerabilities; deleted.'),
  threats: z.int().describe('Threats and vulnerabilities that are related to these assets; they stay.'),
  vulnerabilities: z.int(),
});
export type ProjectDeletion = z.infer<typeof ProjectDeletion>;

/** The risk of the assets that a project has now, at the end of UTC days. */
export const ProjectRiskHistory = z.object({
  step: z.int().describe('Days between two points.'),
  points: z.array(
    z.object({
      date: Day,
      mean: z
        .number()
        .nullable()
        .describe('Risk scores, 0-10; null when nothing is recorded since the point before.'),
      highest: z.number().nullable(),
      assets: z.int().describe('Assets that existed, and those of them at risk.'),
      assetsAtRisk: z.int(),
    }),
  ),
  firstRecordedDay: Day.nullable(),
});
export type ProjectRiskHistory = z.infer<typeof ProjectRiskHistory>;

export const projectSchemas = {
  list: {
    summary: 'Projects of the organization',
    query: projectListSchemas.query,
    reply: { 200: z.object({ projects: z.array(Project), ...listFields }) },
  },
  names: {
    summary: 'The first 50 projects by name whose name or description contains the text, without counts',
    query: z.strictObject({
      search: searchText.optional().describe('A text that the name or description contains, in any case.'),
    }),
    reply: { 200: z.object({ projects: z.array(z.object({ _id: Id, name: z.string() })), total: z.int() }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: projectListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: projectListSchemas.exportQuery,
    reply: { 200: Exported },
  },
  metrics: {
    summary: 'Counts of projects by status, and of all assets, threats and vulnerabilities',
    reply: { 200: ProjectMetrics },
  },
  risk: {
    summary: 'Assets of a project by health and score, and the vulnerabilities and threats related to them',
    params: IdParams,
    reply: { 200: ProjectRisk },
  },
  riskHistory: {
    summary:
      'Recorded risk scores of the assets that a project has now, at most 60 points; a missing day stays missing',
    params: IdParams,
    query: z.strictObject({
      from: Day.optional().describe('First day. Absent: the first one that is recorded.'),
      to: Day.optional().describe('Last day. Absent: today, in UTC.'),
    }),
    reply: { 200: ProjectRiskHistory },
  },
  deletionPreview: {
    summary: 'Counts of what is deleted with a project, and of what stays',
    params: IdParams,
    reply: { 200: ProjectDeletion },
  },
  create: { summary: 'Create a project', body: NewProject, reply: { 201: Project } },
  get: {
    summary: 'One project; its ETag begins with its version',
    params: IdParams,
    reply: { 200: Project },
  },
  update: {
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
    params: IdParams,
    body: changeSchema(fields),
    reply: { 200: Project },
  },
  delete: {
    summary:
      'Delete a project and its assets; threats and vulnerabilities stay; with more than 10,000 related vulnerabilities as a job',
    params: IdParams,
    reply: { 200: Deleted, 202: Accepted },
  },
  deleteMany: {
    summary:
      'Delete these projects or all that match, with their assets, restorable for 30 days; above 500, or with more than 10,000 related vulnerabilities, as a job',
    body: projectListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  restore: {
    summary: 'Restore deleted projects with the assets that were deleted with them',
    body: Restore,
    reply: { 200: Restored },
  },
  map: {
    summary: 'Assets of a project with the relations among them and to assets of other projects',
    params: IdParams,
    reply: { 200: ProjectMap },
  },
} satisfies SchemaTable;
