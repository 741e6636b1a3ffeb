import { lockAssets, newId, type OrganizationTransaction, projectSource } from '@riskboard/db';
import { changesOf, endsAfterStart } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { changedColumns, columnsOf, fieldsOf, nextVersion, type Values } from '../lib/columns.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import type { ProjectRow } from './present.ts';

/** Fields that a person may set, and their columns. */
const columns = {
  name: 'name',
  description: 'description',
  objective: 'objective',
  startDate: 'start_date',
  plannedEndDate: 'planned_end_date',
  status: 'status',
  clientOrganizationName: 'client_organization_name',
  organizationStrategy: 'organization_strategy',
  rankingsName: 'rankings_name',
  rankingsDescription: 'rankings_description',
  rankingsReference: 'rankings_reference',
} as const;

/** @throws Failure 404 */
export async function findProject(trx: OrganizationTransaction, id: string): Promise<ProjectRow> {
  const { rows } = await sql<ProjectRow>`
    select r.* from ${sql.raw(projectSource.shown)}
    where r.organization_id = current_organization() and r.id = ${id}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Failure('not_found', 'Project not found.');
  return row;
}

/** Whichever of the two is changed (spec 5, Project). @throws Failure 422 */
function requireOrder(start: unknown, end: unknown): void {
  if (typeof start !== 'string' || typeof end !== 'string' || endsAfterStart(start, end)) return;
  throw invalidField('plannedEndDate', 'The planned end date must be at least the day after the start date.');
}

/** @throws Failure 422 */
export async function createProject(
  trx: OrganizationTransaction,
  { caller, body }: { caller: Caller; body: Values },
): Promise<ProjectRow> {
  requireOrder(body['startDate'], body['plannedEndDate']);
  const id = newId();
  await trx
    .insertInto('project')
    .values({
      organization_id: caller.organizationId,
      id,
      created_by: caller.accountId,
      updated_by: caller.accountId,
      ...columnsOf(columns, body),
    } as never)
    .execute();
  const project = await findProject(trx, id);
  await recordActivity(trx, caller, {
    action: 'project.created',
    noun: 'projects',
    nounId: id,
    name: project.name,
  });
  return project;
}

/**
 * Changes what is given; a change that changes nothing leaves the version as it is.
 * @throws Failure 404, 412, 422
 */
export async function updateProject(
  trx: OrganizationTransaction,
  { id, caller, body, request }: { id: string; caller: Caller; body: Values; request: FastifyRequest },
): Promise<{ project: ProjectRow; changed: boolean }> {
  await lockAssets(trx);
  const before = await findProject(trx, id);
  requireVersion(request, { version: before.version, changedBy: before.changer });
  const changed = changedColumns(columnsOf(columns, body), { ...before });
  if (Object.keys(changed).length === 0) return { project: before, changed: false };
  const now = { ...fieldsOf(columns, { ...before, ...changed }) };
  requireOrder(now['startDate'], now['plannedEndDate']);
  await trx
    .updateTable('project')
    .set({
      ...changed,
      ...nextVersion(caller),
    } as never)
    .where('id', '=', id)
    .execute();
  const project = await findProject(trx, id);
  await recordActivity(trx, caller, {
    action: 'project.updated',
    noun: 'projects',
    nounId: id,
    name: project.name,
    detail: {
      changes: changesOf(
        fieldsOf(columns, { ...before }),
        fieldsOf(columns, { ...project }),
        Object.keys(columns),
      ),
    },
  });
  return { project, changed: true };
}
