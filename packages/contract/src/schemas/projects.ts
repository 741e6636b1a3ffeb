import { projectEntity } from '../entities/project.ts';
import { changeSchema, detailSchema, newSchema } from './entity.ts';
import type { SchemaTable } from '../endpoint.ts';
import { projectList } from '../projects.ts';
import { Accepted, BulkDeleted, Deleted, IdParams } from './common.ts';
import { Facets, listFields, listSchemas } from './list.ts';
import { Restore, Restored } from './records.ts';
import { z } from 'zod';

const { fields } = projectEntity;

/** A project: a list has all of its fields. */
export const Project = detailSchema(fields).meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

/** A new project. */
export const NewProject = newSchema(fields);

export const projectListSchemas = listSchemas(projectList);

export const projectSchemas = {
  list: {
    summary: 'Projects of the organization',
    query: projectListSchemas.query,
    reply: { 200: z.object({ projects: z.array(Project), ...listFields }) },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: projectListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered list as CSV or JSON, streamed',
    query: projectListSchemas.exportQuery,
    reply: { 200: null },
  },
  create: { summary: 'Create a project', body: NewProject, reply: { 201: Project } },
  get: { summary: 'One project; its version is the ETag', params: IdParams, reply: { 200: Project } },
  update: {
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
    params: IdParams,
    body: changeSchema(fields),
    reply: { 200: Project },
  },
  delete: {
    summary: 'Delete a project and its assets; threats and vulnerabilities stay',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    summary:
      'Delete these projects or all that match, with their assets, restorable for 30 days; above 500 as a job',
    body: projectListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  restore: {
    summary: 'Restore deleted projects with the assets that were deleted with them',
    body: Restore,
    reply: { 200: Restored },
  },
} satisfies SchemaTable;
