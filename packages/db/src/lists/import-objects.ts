import { importObjectList } from '@riskboard/contract';
import { sql } from 'kysely';
import { objectsWithoutRecord } from '../reports/objects-without-record.ts';
import { withdrawnObjects } from '../reports/withdrawn-objects.ts';
import { isAnyLike } from './like.ts';
import { beginningOf, type ListSource } from './source.ts';

/**
 * The objects of a file that state no active record: objects that were not mapped, and those that the report withdraws. A
 * file that has not been read has none; the rows that its old content withdraws stay until then. An object has no id; one is
 * made of its number in the file.
 */
export const importObjectSource: ListSource<typeof importObjectList.fields> = {
  fields: importObjectList.fields,
  from: `(
    select organization_id, file_id, lpad(to_hex(ordinal), 32, '0')::uuid as id, ordinal, location, type, stix_id, outcome,
      reason
    from ${objectsWithoutRecord} object
    union all
    select organization_id, file_id, id, ordinal, location, type, stix_id, state, 'The report marks it as ' || state
    from ${withdrawnObjects} withdrawn
    where exists (
      select from report_file file where file.organization_id = withdrawn.organization_id and file.id = withdrawn.file_id
        and file.object_count is not null)
  ) r`,
  columns: {
    ordinal: { sql: 'r.ordinal', type: 'integer', required: true },
    // As text, objects[10] sorts before objects[2].
    location: { sql: 'r.ordinal', type: 'integer', required: true },
    type: { sql: 'r.type', type: 'text', required: true },
    stixId: { sql: beginningOf(`coalesce(r.stix_id, '')`), type: 'text' },
    outcome: { sql: 'r.outcome', type: 'text', required: true },
    reason: { sql: beginningOf('r.reason'), type: 'text', required: true },
  },
  cells: { location: 'r.location', stixId: 'r.stix_id', reason: 'r.reason' },
  search: (pattern) => isAnyLike(['location', 'type', 'stix_id', 'reason'], pattern),
  isIdNumber: true,
  isCountedWhole: true,
  extra: {
    fileId: (fileId) => sql`r.file_id = ${fileId}::uuid`,
  },
};
