import { extractKinds, type JobKind } from '@riskboard/contract';

const id = '"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"';
const extractKind = `"(${extractKinds.join('|')})"`;
const empty = '^\\{\\}$';
const ofImport = `^\\{"importId": ${id}\\}$`;

/**
 * Payloads with which the database may start a job by itself, as regular expressions for `jsonb` as text. They match only
 * what the schemas of the contract accept; payloads that do not match, and the other kinds, are checked by the worker: of
 * 'metrics.recompute' it starts one at a time in an organization.
 */
export const payloadPatterns: Readonly<Partial<Record<JobKind, string>>> = {
  'stix.parse': `^\\{"fileId": ${id}, "contentId": ${id}\\}$`,
  'stix.extract': `^\\{"kinds": \\[${extractKind}(, ${extractKind})*\\], "fileId": ${id}\\}$`,
  'csv.check': ofImport,
  'csv.import': ofImport,
  'csv.undo': ofImport,
  'cwe.refresh': empty,
  'alerts.evaluate': empty,
  'webhook.deliver': `^\\{"deliveryId": ${id}\\}$`,
};
