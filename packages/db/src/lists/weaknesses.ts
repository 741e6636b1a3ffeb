import { mostCarried, weaknessList } from '@riskboard/contract';
import { sql } from 'kysely';
import { beginningOf, type ListSource } from './source.ts';

/**
 * Entries of the catalogue that the organization uses. Lists find rows by uuid, so the number is written as one.
 * Vulnerabilities are counted in the index of weaknesses, up to a limit for each entry: the cost does not grow with the
 * organization.
 */
const columns = `current_organization() as organization_id, lpad(id::text, 32, '0')::uuid as id, id as number, name, kind,
  case when kind = 'weakness' then abstraction else '' end as abstraction, status, likelihood,
  (select count(*)::int from vulnerabilities_of_weakness('CWE-' || cwe_entry.id, ${mostCarried})) as vulnerabilities`;

export const weaknessSource: ListSource<typeof weaknessList.fields> = {
  fields: weaknessList.fields,
  from: `(select ${columns} from cwe_entry where catalogue_id = current_catalogue()) r`,
  columns: {
    number: { sql: 'r.number', type: 'integer', required: true },
    name: { sql: beginningOf('r.name'), type: 'text', required: true },
    kind: { sql: 'r.kind', type: 'text', required: true },
    abstraction: { sql: 'r.abstraction', type: 'text' },
    status: { sql: 'r.status', type: 'text' },
    likelihood: { sql: 'r.likelihood', type: 'text' },
    vulnerabilities: { sql: 'r.vulnerabilities', type: 'integer', required: true },
  },
  derived: ['vulnerabilities'],
  search: (pattern) => sql<boolean>`(r.name ilike ${pattern} or 'CWE-' || r.number ilike ${pattern})`,
  extra: {},
};
