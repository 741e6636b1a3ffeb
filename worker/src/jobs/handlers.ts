import type { JobHandlers } from './run/context.ts';
import { webhookDeliver } from './alerts/deliver.ts';
import { alertsEvaluate } from './alerts/evaluate.ts';
import { cwssCalculate } from './cwss/calculate.ts';
import { csvCheck, csvImport } from './imports/import.ts';
import { csvUndo } from './imports/undo.ts';
import { metricsRecompute } from './overview/recompute.ts';
import { recordsDelete, recordsUpdate } from './records/bulk.ts';
import { recordsRestore } from './records/restore.ts';
import { cweRefresh } from './cwe/refresh.ts';
import { organizationDelete } from './organization/organization-delete.ts';
import { stixExtract } from './stix/extract.ts';
import { stixParse } from './stix/parse.ts';

export const handlers: JobHandlers = {
  'stix.parse': stixParse,
  'stix.extract': stixExtract,
  'records.delete': recordsDelete,
  'records.restore': recordsRestore,
  'records.update': recordsUpdate,
  'csv.check': csvCheck,
  'csv.import': csvImport,
  'csv.undo': csvUndo,
  'cwss.calculate': cwssCalculate,
  'cwe.refresh': cweRefresh,
  'alerts.evaluate': alertsEvaluate,
  'webhook.deliver': webhookDeliver,
  'metrics.recompute': metricsRecompute,
  'organization.delete': organizationDelete,
};
