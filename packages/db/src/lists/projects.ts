import { projectList } from '@riskboard/contract';
import { sql } from 'kysely';
import type { ListSource } from './source.ts';

/** The list of projects (contract, projects). */
export const projectSource: ListSource<typeof projectList.fields> = {
  fields: projectList.fields,
  from: 'project r',
  columns: {
    name: { sql: 'r.name', type: 'text', required: true },
    status: { sql: 'r.status', type: 'text', required: true },
    startDate: { sql: 'r.start_date', type: 'timestamptz', required: true },
    plannedEndDate: { sql: 'r.planned_end_date', type: 'timestamptz' },
    createdAt: { sql: 'r.created_at', type: 'timestamptz', required: true },
    updatedAt: { sql: 'r.updated_at', type: 'timestamptz', required: true },
  },
  search: (pattern) => sql`(r.name ilike ${pattern} or r.description ilike ${pattern})`,
  extra: {},
};
