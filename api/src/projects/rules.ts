import { projectEntity } from '@riskboard/contract';
import { lockAssets, type OrganizationTransaction, projectSource } from '@riskboard/db';
import { endsAfterStart, endTooEarly, projectProgress, type ProjectStatus } from '@riskboard/domain';
import { sql } from 'kysely';
import { Failure, invalidField } from '../lib/http/failure.ts';
import type { EntityRow, EntityRules, FullEntity } from '../records/entity-rules.ts';

/** @throws Failure 404 */
async function findProject(trx: OrganizationTransaction, id: string): Promise<FullEntity> {
  const { rows } = await sql<EntityRow & { changer: string }>`
    select r.* from ${sql.raw(projectSource.shown)}
    where r.organization_id = current_organization() and r.id = ${id}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Failure('not_found', 'Project not found.');
  return { row, updatedBy: row.changer };
}

/** Spec 5, Project. @throws Failure 422 */
function requireOrder(start: unknown, end: unknown): void {
  if (typeof start !== 'string' || typeof end !== 'string' || endsAfterStart(start, end)) return;
  throw invalidField('plannedEndDate', endTooEarly);
}

export const projectRules = {
  entity: projectEntity,
  source: projectSource,
  // Deleting and restoring a project moves its assets.
  async lock(trx, { id }) {
    if (id !== undefined) await lockAssets(trx);
  },
  find: findProject,

  async check(_trx, { before, body }) {
    const { startDate = before?.row['start_date'], plannedEndDate = before?.row['planned_end_date'] } = body;
    requireOrder(startDate, plannedEndDate);
  },

  derivedFields: (row) => ({
    progress: projectProgress(row['status'] as ProjectStatus),
    assets: row['assets'],
    threats: row['threats'],
    vulnerabilities: row['vulnerabilities'],
    createdBy: row['created_by'] ?? null,
    updatedBy: row['changer'],
    version: row['version'],
  }),
} satisfies EntityRules<FullEntity>;
