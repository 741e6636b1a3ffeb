import { endpoints } from './endpoint.ts';
import { defineList, levelsOf } from './list.ts';
import { withdrawals } from './records.ts';
import type { threatSchemas } from './schemas/threats.ts';
import { fiveLevels, riskBands, threatTypes, threeLevels } from '@riskboard/domain';

export const threatList = defineList(
  {
    sourceFile: { label: 'Source File', kind: 'choice' },
    name: { label: 'Name', kind: 'text' },
    threatID: { label: 'Threat ID', kind: 'choice' },
    kind: { label: 'Kind', kind: 'choice' },
    threatTypeId: {
      label: 'Type',
      kind: 'choice',
      values: Object.keys(threatTypes),
      labels: threatTypes,
    },
    threatCategory: { label: 'Category', kind: 'choice' },
    motivation: { label: 'Motivation', ...levelsOf(threeLevels) },
    capability: { label: 'Capability', ...levelsOf(threeLevels) },
    likelihood: { label: 'Likelihood', ...levelsOf(fiveLevels) },
    impact: { label: 'Impact', ...levelsOf(fiveLevels) },
    riskLevel: { label: 'Risk Level', kind: 'number' },
    /** Bands of the risk level: high above 60, medium above 30 (contract, Severity bands). */
    risk: { label: 'Risk', kind: 'choice', values: riskBands.map((band) => band.value), sortable: false },
    isActive: { label: 'Active', kind: 'choice', values: ['true', 'false'] },
    withdrawn: { label: 'Withdrawn', kind: 'choice', values: withdrawals },
    createdAt: { label: 'Created At', kind: 'time' },
    updatedAt: { label: 'Updated At', kind: 'time' },
  },
  '-createdAt',
);

export const threats = endpoints<typeof threatSchemas>()({
  list: {
    method: 'GET',
    path: '/api/threats',
    access: 'viewer',
    summary: 'Threats of the organization',
  },
  facets: {
    method: 'GET',
    path: '/api/threats/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/threats/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  metrics: {
    method: 'GET',
    path: '/api/threats/metrics',
    access: 'viewer',
    summary: 'Counts over all threats: critical above 70, high above 40 up to 70 (spec 9)',
  },
  create: {
    method: 'POST',
    path: '/api/threats',
    access: 'analyst',
    summary: 'Create a threat',
  },
  get: {
    method: 'GET',
    path: '/api/threats/:id',
    access: 'viewer',
    summary: 'One threat; its version is the ETag',
  },
  update: {
    method: 'PUT',
    path: '/api/threats/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; a stale If-Match gets 412',
  },
  delete: {
    method: 'DELETE',
    path: '/api/threats/:id',
    access: 'analyst',
    summary: 'Delete a threat; it can be restored for 30 days',
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/threats/bulk',
    access: 'analyst',
    summary: 'Delete these threats or all that match; above 500 as a job',
  },
  updateMany: {
    method: 'PUT',
    path: '/api/threats/bulk',
    access: 'analyst',
    summary: 'Set activity, type, category or related assets of these or all that match; above 500 as a job',
  },
  restore: {
    method: 'POST',
    path: '/api/threats/restore',
    access: 'analyst',
    summary: 'Bring deleted threats back as they were',
  },
  sources: {
    method: 'GET',
    path: '/api/threats/:id/sources',
    access: 'viewer',
    summary: 'What each report says of it, and where in the report',
  },
  revert: {
    method: 'POST',
    path: '/api/threats/:id/revert',
    access: 'analyst',
    summary: 'Take fields that a person changed back to what the reports say',
  },
  graph: {
    method: 'GET',
    path: '/api/threats/:id/graph',
    access: 'viewer',
    summary: 'The threat, its related assets, and what else concerns those',
  },
});
