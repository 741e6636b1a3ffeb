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

export const projectListSchemas = listSchemas(projectList);

export const projectSchemas = {
  list: {
    query: projectListSchemas.query,
    reply: { 200: z.object({ projects: z.array(Project), ...listFields }) },
  },
  facets: {
    query: projectListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    query: projectListSchemas.exportQuery,
    reply: { 200: null },
  },
  create: {
    body: newSchema(fields),
    reply: { 201: Project },
  },
  get: {
    params: IdParams,
    reply: { 200: Project },
  },
  update: {
    params: IdParams,
    body: changeSchema(fields),
    reply: { 200: Project },
  },
  delete: {
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    body: projectListSchemas.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  restore: {
    body: Restore,
    reply: { 200: Restored },
  },
} satisfies SchemaTable;
