import { projectStatuses } from '@riskboard/domain';
import { z } from 'zod';
import { Accepted, BulkDeleted, Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints } from './endpoint.ts';
import { defineList, Facets, listFields } from './list.ts';
import { Restore, Restored } from './records.ts';
import { Description, Name, optionalTime, requiredTime, ShortText, Text } from './record-fields.ts';

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

export const projectList = defineList(
  {
    name: { label: 'Name', kind: 'text' },
    status: { label: 'Status', kind: 'choice', values: projectStatuses },
    startDate: { label: 'Start Date', kind: 'time' },
    plannedEndDate: { label: 'Planned End', kind: 'time' },
    /** Its assets, and what is related to any of them, each counted once (contract, Project counts). */
    assets: { label: 'Assets', kind: 'number' },
    threats: { label: 'Threats', kind: 'number' },
    vulnerabilities: { label: 'Vulnerabilities', kind: 'number' },
    createdAt: { label: 'Created', kind: 'time' },
    updatedAt: { label: 'Updated', kind: 'time' },
  },
  { standard: '-createdAt', extra: {} },
);

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

export const projects = endpoints({
  list: {
    method: 'GET',
    path: '/api/projects',
    access: 'viewer',
    summary: 'Projects of the organization',
    query: projectList.query,
    reply: { 200: z.object({ projects: z.array(Project), ...listFields }) },
  },
  facets: {
    method: 'GET',
    path: '/api/projects/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: projectList.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    method: 'GET',
    path: '/api/projects/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
    query: projectList.exportQuery,
    reply: { 200: null },
  },
  create: {
    method: 'POST',
    path: '/api/projects',
    access: 'analyst',
    summary: 'Create a project',
    body: z.object(fields),
    reply: { 201: Project },
  },
  get: {
    method: 'GET',
    path: '/api/projects/:id',
    access: 'viewer',
    summary: 'One project; its version is the ETag',
    params: IdParams,
    reply: { 200: Project },
  },
  update: {
    method: 'PUT',
    path: '/api/projects/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
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
    method: 'DELETE',
    path: '/api/projects/:id',
    access: 'analyst',
    summary: 'Delete a project and its assets; threats and vulnerabilities stay',
    params: IdParams,
    reply: { 200: Deleted },
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/projects/bulk',
    access: 'analyst',
    summary:
      'Delete these projects or all that match, with their assets, restorable for 30 days; above 500 as a job',
    body: projectList.selection,
    reply: { 200: BulkDeleted, 202: Accepted },
  },
  restore: {
    method: 'POST',
    path: '/api/projects/restore',
    access: 'analyst',
    summary: 'Bring deleted projects back as they were, with the assets that went with them',
    body: Restore,
    reply: { 200: Restored },
  },
});
