import type { JobHandlers } from './context.ts';
import { recordsDelete, recordsUpdate } from './records.ts';
import { organizationDelete } from './organization-delete.ts';
import { stixExtract } from './stix-extract.ts';
import { stixParse } from './stix-parse.ts';

export const handlers: JobHandlers = {
  'stix.parse': stixParse,
  'stix.extract': stixExtract,
  'records.delete': recordsDelete,
  'records.update': recordsUpdate,
  'organization.delete': organizationDelete,
};
