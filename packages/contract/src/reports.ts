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
);

/** Why an object or record of a file is not a record of the product. */
export const outcomes = ['unmapped', 'failed', 'revoked', 'deprecated', 'superseded'] as const;

/** Objects and records of a file that are not in the lists, in the order of the file. */
export const importObjectList = defineList(
  {
    /** Counted from the first object of the file. */
    ordinal: { label: 'No.', kind: 'number' },
    /** Where it stands in the file; sorted by, as its number. */
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
    summary: 'Upload a STIX or TAXII report (.json, .xml); a file of the same name is replaced',
    multipart: { field: 'stixFile' },
    // A browser sends thousands of small files, a hundred a second.
    perMinute: 12_000,
  },
  files: {
    method: 'GET',
    path: '/api/reports/files',
    access: 'viewer',
    summary: 'All uploaded reports; search runs over name, size and counts',
  },
  fileFacets: {
    method: 'GET',
    path: '/api/reports/files/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  fileExport: {
    method: 'GET',
    path: '/api/reports/files/export',
    access: 'viewer',
    summary: 'The filtered list as CSV or JSON, streamed',
  },
  file: {
    method: 'GET',
    path: '/api/reports/files/:id',
    access: 'viewer',
    summary: 'One report with its content as JSON (XML in its JSON form)',
    fallback: 'Failed to retrieve file',
  },
  raw: {
    method: 'GET',
    path: '/api/reports/files/:id/raw',
    access: 'viewer',
    summary: 'The original bytes of a report',
    fallback: 'Failed to retrieve file',
  },
  deleteFile: {
    method: 'DELETE',
    path: '/api/reports/files/:id',
    access: 'analyst',
    summary: 'Delete a report and what only it asserted',
    fallback: 'Failed to delete file',
  },
  deleteFiles: {
    method: 'DELETE',
    path: '/api/reports/files/bulk',
    access: 'analyst',
    summary:
      'Delete these reports or all that match, and what only they asserted; more than 500 that match as a job',
    fallback: 'Failed to delete files',
  },
  vulnerabilityCount: {
    method: 'GET',
    path: '/api/reports/files/:id/vulnerabilities/count',
    access: 'viewer',
    summary: 'Extracted vulnerabilities that the report asserts',
    fallback: 'Failed to count vulnerabilities',
  },
  threatCount: {
    method: 'GET',
    path: '/api/reports/files/:id/threats/count',
    access: 'viewer',
    summary: 'Extracted threats that the report asserts',
    fallback: 'Failed to count threats',
  },
  importReport: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report',
    access: 'viewer',
    summary: 'What became of every object of a report',
  },
  importObjects: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/objects',
    access: 'viewer',
    summary: 'The objects of a report that are no record, each with its location and reason',
  },
  importFacets: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column of these objects under the other filters',
  },
  importExport: {
    method: 'GET',
    path: '/api/reports/files/:id/import-report/export',
    access: 'viewer',
    summary: 'The filtered list of these objects as CSV or JSON, streamed',
  },
  extractVulnerability: {
    method: 'POST',
    path: '/api/reports/extract-vulnerability',
    access: 'analyst',
    summary: 'Extract the vulnerabilities of a report; `Prefer: wait=N` answers with the result',
    fallback: 'Failed to request extraction',
  },
  extractThreat: {
    method: 'POST',
    path: '/api/reports/extract-threat',
    access: 'analyst',
    summary: 'Extract the threats of a report; `Prefer: wait=N` answers with the result',
    fallback: 'Failed to request threat extraction',
  },
  extractBoth: {
    method: 'POST',
    path: '/api/reports/extract',
    access: 'analyst',
    summary: 'Extract vulnerabilities and threats of a report in one job',
    fallback: 'Failed to request extraction',
  },
  overview: {
    method: 'GET',
    path: '/api/reports/overview',
    access: 'viewer',
    summary: 'Counts over all reports of the organisation',
  },
});
