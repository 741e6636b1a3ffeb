import type { Project } from '@riskboard/contract';
import type { ProjectTable } from '@riskboard/db';
import { projectProgress } from '@riskboard/domain';
import type { Selectable } from 'kysely';

/** A row of the list's source: the project and what is counted of it. */
export interface ProjectRow extends Selectable<ProjectTable> {
  assets: number;
  threats: number;
  vulnerabilities: number;
  /** Who changed it last, as they are called now. */
  changer: string;
}

/** The only road from a project's row to the wire. */
export const presentProject = (row: ProjectRow): Project => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  objective: row.objective,
  startDate: row.start_date.toISOString(),
  plannedEndDate: row.planned_end_date?.toISOString() ?? null,
  status: row.status,
  clientOrganizationName: row.client_organization_name,
  organizationStrategy: row.organization_strategy,
  rankingsName: row.rankings_name,
  rankingsDescription: row.rankings_description,
  rankingsReference: row.rankings_reference,
  progress: projectProgress(row.status),
  assets: row.assets,
  threats: row.threats,
  vulnerabilities: row.vulnerabilities,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  createdBy: row.created_by,
  updatedBy: row.changer,
  version: row.version,
});
