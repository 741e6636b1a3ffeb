import { endpoints } from './endpoint.ts';
import { defineList, levelsOf } from './list.ts';
import type { assetSchemas } from './schemas/assets.ts';
import {
  assetHealths,
  assetTypes,
  confidentialityLevels,
  fiveLevels,
  protectionLevels,
} from '@riskboard/domain';

export const assetList = defineList(
  {
    name: { label: 'Name', kind: 'text' },
    assetTypeId: { label: 'Type', kind: 'choice', values: Object.keys(assetTypes), labels: assetTypes },
    criticality: { label: 'Criticality', ...levelsOf(fiveLevels) },
    confidentialityLevel: { label: 'Confidentiality', ...levelsOf(confidentialityLevels) },
    integrityLevel: { label: 'Integrity', ...levelsOf(protectionLevels) },
    availabilityLevel: { label: 'Availability', ...levelsOf(protectionLevels) },
    riskScore: { label: 'Risk Score', kind: 'number' },
    health: { label: 'Health', kind: 'choice', values: assetHealths },
    /** `at-risk`: health Critical or risk score from 7 (contract, Meanings). */
    status: { label: 'Status', kind: 'choice', values: ['at-risk'], sortable: false },
    projectId: { label: 'Project', kind: 'choice', sortable: false },
    threatCount: { label: 'Threats', kind: 'number' },
    vulnerabilityCount: { label: 'Vulnerabilities', kind: 'number' },
    replacementCost: { label: 'Replacement Cost', kind: 'number' },
    recoveryCost: { label: 'Recovery Cost', kind: 'number' },
    startDate: { label: 'Start Date', kind: 'time' },
    createdAt: { label: 'Created', kind: 'time' },
    updatedAt: { label: 'Updated', kind: 'time' },
  },
  '-createdAt',
);

export const assets = endpoints<typeof assetSchemas>()({
  list: {
    method: 'GET',
    path: '/api/assets',
    access: 'viewer',
    summary: 'Assets of the organization',
  },
  facets: {
    method: 'GET',
    path: '/api/assets/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/assets/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  create: {
    method: 'POST',
    path: '/api/assets',
    access: 'analyst',
    summary: 'Create an asset in a project',
  },
  get: {
    method: 'GET',
    path: '/api/assets/:id',
    access: 'viewer',
    summary: 'One asset; its version is the ETag',
  },
  update: {
    method: 'PUT',
    path: '/api/assets/:id',
    access: 'analyst',
    summary: 'Change any subset of the fields; relations form no cycle',
  },
  delete: {
    method: 'DELETE',
    path: '/api/assets/:id',
    access: 'analyst',
    summary: 'Delete an asset; it can be restored for 30 days',
  },
  deleteMany: {
    method: 'DELETE',
    path: '/api/assets/bulk',
    access: 'analyst',
    summary: 'Delete these assets or all that match, restorable for 30 days; above 500 as a job',
  },
  restore: {
    method: 'POST',
    path: '/api/assets/restore',
    access: 'analyst',
    summary: 'Bring deleted assets back as they were, unless their project is gone',
  },
  hierarchy: {
    method: 'GET',
    path: '/api/assets/:id/hierarchy',
    access: 'viewer',
    summary: 'The assets that hang on this one',
  },
});
