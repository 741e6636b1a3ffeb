import { reports } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../ui/table/define-list-source.ts';

/** The uploaded reports. */
export const filesSource = defineListSource({
  route: '/dashboard/reports',
  noun: 'reports',
  list: {
    fields: {
      originalFilename: { label: 'Name', kind: 'text' },
      stixVersion: { label: 'STIX', kind: 'text' },
      vulnerabilityCount: { label: 'Vulnerabilities', kind: 'number' },
      threatCount: { label: 'Threats', kind: 'number' },
      size: { label: 'Size', kind: 'number' },
      uploadDate: { label: 'Uploaded', kind: 'time' },
    },
    standard: '-uploadDate',
  },
  calls: { list: reports.files },
  rows: (reply) => reply.files,
});
export type FilesSearch = StateOf<typeof filesSource>;
