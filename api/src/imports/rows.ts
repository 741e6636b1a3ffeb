import { importColumnLabel, type ImportRow } from '@riskboard/contract';
import { importRowSource, type OrganizationTransaction, withOrganization } from '@riskboard/db';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { findImport } from './find.ts';

interface ReportRow {
  id: string;
  line: number;
  action: ImportRow['action'];
  record_id: string | null;
  name: string;
  field: string | null;
  problem: string | null;
}

const presentRow = ({ line, action, record_id: recordId, name, field, problem }: ReportRow): ImportRow => ({
  line,
  action,
  recordId,
  name,
  field,
  problem,
});

interface RowQuery {
  action?: ImportRow['action'] | undefined;
}

const filterOf = (id: string, { action }: RowQuery) => ({
  importId: id,
  ...(action && { action: [action] }),
  sort: 'line',
});

/** One page of the report. @throws Failure 404 */
export async function importRows(
  trx: OrganizationTransaction,
  id: string,
  query: RowQuery & { page: number; pageSize: number },
) {
  const found = await findImport(trx, id);
  const { page, pageSize } = query;
  const { nextCursor: _cursor, ...shown } = await showPage(trx, importRowSource, {
    query: { ...filterOf(found.id, query), page, pageSize },
    present: presentRow,
  });
  return shown;
}

/** The report as CSV; columns have the names that people see. @throws Failure 404 */
export async function exportImportRows(
  { database }: Deps,
  { organizationId, reply }: { organizationId: string; reply: FastifyReply },
  { id, query }: { id: string; query: RowQuery },
): Promise<FastifyReply> {
  const found = await withOrganization(database, organizationId, (trx) => findImport(trx, id));
  return sendExport<ReportRow>(reply, database, {
    organizationId,
    source: importRowSource,
    query: { ...filterOf(found.id, query), format: 'csv' },
    present(row) {
      const shown = presentRow(row);
      return { ...shown, field: shown.field === null ? null : importColumnLabel(found, shown.field) };
    },
    name: `${found.file_name.replace(/\.csv$/iu, '')}-${query.action ?? 'all'}-rows`,
  });
}
