import { riskReport } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, withOrganizationSnapshot, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { csvStream } from '../lib/csv-stream.ts';
import { asDownload } from '../lib/http/as-download.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import type { Caller } from '../lib/security/caller.ts';
import { sendPrintPage } from '../lib/print-page.ts';
import { reportHtml } from './html.ts';
import { readRiskReport } from './read-report.ts';
import { reportSchedules, setReportSchedule } from './schedules.ts';

/** The printable risk report, its tables as CSV, and when members are mailed that it is due. */
export function riskReportRoutes(app: FastifyInstance, { database, config }: Deps): void {
  const inside = <T>({ organizationId }: Caller, work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(database, organizationId, work);
  const read = (caller: Caller, projectId: string | undefined) =>
    withOrganizationSnapshot(database, caller.organizationId, (trx) =>
      readRiskReport(trx, caller, projectId?.toLowerCase()),
    );

  serve(
    app,
    { tag: 'risk report', table: riskReport },
    {
      async html({ query, caller, reply }) {
        return sendPrintPage(reply, reportHtml(await read(caller, query.projectId)));
      },
      async table({ query, caller, reply }) {
        const { tables, asOf } = await read(caller, query.projectId);
        const table = tables.find(({ name }) => name === query.table);
        if (table === undefined) throw new Failure('not_found', 'The report has no such table.');
        const lines = csvStream(table.columns.map(({ key, label }) => ({ key, header: label })));
        for (const row of table.rows)
          lines.write(row['unit'] ? { ...row, name: `${row['name']} (${row['unit']})` } : row);
        lines.end();
        return asDownload(
          reply,
          `risk-report-${table.name}-${asOf.slice(0, 10)}.csv`,
          'text/csv; charset=utf-8',
        ).send(lines);
      },
      schedules: async ({ caller }) => ({
        schedules: await inside(caller, (trx) => reportSchedules(trx, caller)),
        mail: config.verifyEmail ?? false,
      }),
      schedule: ({ caller, body }) => inside(caller, (trx) => setReportSchedule(trx, caller, body)),
    },
  );
}
