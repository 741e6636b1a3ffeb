import type { SchemaTable } from '../endpoint.ts';
import { projectList } from '../projects.ts';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { Facets, listFields, listSchemas } from './list.ts';
import { Description, Name, ShortText, Text, optionalTime, requiredTime } from './record-fields.ts';
import { Restore, Restored } from './records.ts';
import { projectStatuses } from '@riskboard/domain';
import { z } from 'zod';

export const Project = z
  .object({
    _id: Id,
    name: z.string(),
    description: z.string(),
    objective: z.string(),
    startDate: Time,
    plannedEndDate: Time.nullable(),
    status: z.enum(projectStatuses),
    clientOrganizationName: z.string(),
    organizationStrategy: z.string(),
    rankingsName: z.string(),
    rankingsDescription: z.string(),
    rankingsReference: z.string(),
    /** Derived from the status (spec 4), percent. */
    progress: z.int(),
    /** Assets of the project; threats and vulnerabilities related to any of them (contract, Project counts). */
    assets: z.int(),
    threats: z.int(),
    vulnerabilities: z.int(),
    createdAt: Time,
    updatedAt: Time,
    createdBy: Id.nullable(),
    updatedBy: z.string(),
    version: z.int(),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const projectListSchemas = listSchemas(projectList);

const fields = {
  name: Name,
  description: Description,
  objective: Text.optional(),
  startDate: requiredTime,
  /** At least the day after the start date (spec 5). */
  plannedEndDate: optionalTime.optional(),
  status: z.enum(projectStatuses).optional(),
  clientOrganizationName: ShortText.optional(),
  organizationStrategy: Text.optional(),
  rankingsName: ShortText.optional(),
  rankingsDescription: Text.optional(),
  rankingsReference: Text.optional(),
};

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
    body: z.object(fields),
    reply: { 201: Project },
  },
  get: {
    params: IdParams,
    reply: { 200: Project },
  },
  update: {
    params: IdParams,
    body: z.object({
      ...fields,
      name: fields.name.optional(),
      description: fields.description.optional(),
      startDate: fields.startDate.optional(),
    }),
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
