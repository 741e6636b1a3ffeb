import { importObjectList } from '@riskboard/contract';
import { sql } from 'kysely';
import type { ListSource } from './source.ts';

/**
 * The objects of a file that are not active records: objects that were not mapped, and records that the report
 * withdrew. An object has no id; one is made of its number in the file.
 */
export const importObjectSource: ListSource<typeof importObjectList.fields> = {
  fields: importObjectList.fields,
  from: `(
    select organization_id, file_id, lpad(to_hex(ordinal), 32, '0')::uuid as id, ordinal, location, type, stix_id, outcome,
      reason
    from report_object
    union all
    select organization_id, file_id, id, ordinal, location, type, stix_id, state, 'The report marks it as ' || state
    from report_record where state <> 'active'
  ) r`,
  columns: {
    ordinal: { sql: 'r.ordinal', type: 'integer', required: true },
    // As text, objects[10] sorts before objects[2].
    location: { sql: 'r.ordinal', type: 'integer', required: true },
    type: { sql: 'r.type', type: 'text', required: true },
    stixId: { sql: `coalesce(r.stix_id, '')`, type: 'text' },
    outcome: { sql: 'r.outcome', type: 'text', required: true },
    reason: { sql: 'r.reason', type: 'text', required: true },
  },
  search: (pattern) => sql<boolean>`(r.location ilike ${pattern} or r.type ilike ${pattern}
    or r.stix_id ilike ${pattern} or r.reason ilike ${pattern})`,
  isCountedWhole: true,
  extra: {
    fileId: (fileId) => sql`r.file_id = ${fileId}::uuid`,
  },
};
