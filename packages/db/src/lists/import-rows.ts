import { importRowList } from '@riskboard/contract';
import { sql } from 'kysely';
import { isAnyLike } from './like.ts';
import type { ListSource } from './source.ts';

/** The report of a CSV import, row by row. A row has no id; one is made of its line. */
export const importRowSource: ListSource<typeof importRowList.fields> = {
  fields: importRowList.fields,
  from: `(
    select organization_id, import_id, lpad(to_hex(line), 32, '0')::uuid as id, line, action, record_id, name, field, problem
    from csv_import_row
  ) r`,
  columns: {
    line: { sql: 'r.line', type: 'integer', required: true },
    action: { sql: 'r.action', type: 'text', required: true },
    name: { sql: 'r.name', type: 'text', required: true },
    field: { sql: `coalesce(r.field, '')`, type: 'text' },
    problem: { sql: `coalesce(r.problem, '')`, type: 'text' },
    recordId: { sql: 'r.record_id', type: 'uuid' },
  },
  search: (pattern) => isAnyLike(['name', 'problem'], pattern),
  isIdNumber: true,
  isCountedWhole: true,
  extra: {
    importId: (id) => sql`r.import_id = ${id}::uuid`,
  },
};
