import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Rows `w` of an import's report with an action. */
export const rowsWith = (importId: string, action: 'created' | 'updated'): RawBuilder<unknown> => sql`
  csv_import_row w where w.organization_id = current_organization() and w.import_id = ${importId} and w.action = ${action}`;

/** Marks rows of the report whose records an undo keeps, with the reasons. */
export const keepRows = (
  trx: OrganizationTransaction,
  importId: string,
  kept: RawBuilder<{ line: number; problem: string }>,
): Promise<unknown> =>
  sql`
    update csv_import_row w set action = 'kept', problem = kept.problem from (${kept}) kept
    where w.organization_id = current_organization() and w.import_id = ${importId} and w.line = kept.line`.execute(
    trx,
  );
