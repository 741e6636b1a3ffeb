import { endpoints } from './endpoint.ts';
import { jobStates } from './jobs.ts';
import { defineList } from './list.ts';
import type { reportSchemas } from './schemas/reports.ts';

export const reportFileList = defineList(
  {
    originalFilename: { label: 'Name', kind: 'text' },
    stixVersion: { label: 'STIX', kind: 'choice' },
    /** Of the newest parse. */
    parseState: { label: 'State', kind: 'choice', values: jobStates, sortable: false },
    vulnerabilityCount: { label: 'Vulnerabilities', kind: 'number' },
    threatCount: { label: 'Threats', kind: 'number' },
    /** Bytes. */
    size: { label: 'Size', kind: 'number' },
    uploadDate: { label: 'Uploaded', kind: 'time' },
  },
  '-uploadDate',
  { createdAt: 'uploadDate' },
);

/** Why an object or record of a file is not a record of the product. */
export const outcomes = ['unmapped', 'failed', 'revoked', 'deprecated', 'superseded'] as const;

/** Objects and records of a file that are not in the lists, in the order of the file. */
export const importObjectList = defineList(
  {
    /** Counted from the first object of the file. */
    ordinal: { label: 'No.', kind: 'number' },
    /** Location in the file; sorted by its ordinal. */
    location: { label: 'Location', kind: 'text' },
    type: { label: 'Type', kind: 'choice' },
    stixId: { label: 'ID', kind: 'text' },
    outcome: { label: 'Outcome', kind: 'choice', values: outcomes },
    reason: { label: 'Reason', kind: 'choice' },
  },
  'location',
);

export const reports = endpoints<typeof reportSchemas>()({
  upload: {
    method: 'POST',
    path: '/api/reports/upload',
    access: 'analyst',
    multipart: { field: 'stixFile' },
    // A browser sends thousands of small files, a hundred a second.
    perMinute: 12_000,
  },
  files: {
    method: 'GET',
    path: '/api/reports/files',
    access: 'viewer',
  },
  fileFacets: {
    method: 'GET',
    path: '/api/reports/files/facets',
    access: 'viewer',
  },
  fileExport: {
    method: 'GET',
    path: '/api/reports/files/export',
    access: 'viewer',
  },
  file: {
    method: 'GET',
    path: '/api/reports/files/:id',
    access: 'viewer',
    fallback: 'Failed to retrieve file',
  },
  raw: {
    method: 'GET',
    path: '/api/reports/files/:id/raw',
    access: 'viewer',
    fallback: 'Failed to retrieve file',
  },
  deleteFile: {
    method: 'DELETE',
    path: '/api/reports/files/:id',
    access: 'analyst',
    fallback: 'Failed to delete file',
  },
  deleteFiles: {
    method: 'DELETE',
    path: '/api/reports/files/bulk',
    access: 'analyst',
    fallback: 'Failed to delete files',
  },
  vulnerabilityCount: {
    method: 'GET',
    path: '/api/reports/files/:id/vulnerabilities/count',
    access: 'viewer',
    fallback: 'Failed to count vulnerabilities',
  },
  threatCount: {
    method: 'GET',
    path: '/api/reports/files/:id/threats/count',
    access: 'viewer',
    fallback: 'Failed to count threats',
  },
  importReport: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report',
    access: 'viewer',
  },
  importObjects: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/objects',
    access: 'viewer',
  },
  importFacets: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/facets',
    access: 'viewer',
  },
  importExport: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/export',
    access: 'viewer',
  },
  extractVulnerability: {
    method: 'POST',
    path: '/api/reports/extract-vulnerability',
    access: 'analyst',
    fallback: 'Failed to request extraction',
  },
  extractThreat: {
    method: 'POST',
    path: '/api/reports/extract-threat',
    access: 'analyst',
    fallback: 'Failed to request threat extraction',
  },
  extractBoth: {
    method: 'POST',
    path: '/api/reports/extract',
    access: 'analyst',
    fallback: 'Failed to request extraction',
  },
  overview: {
    method: 'GET',
    path: '/api/reports/overview',
    access: 'viewer',
  },
});
