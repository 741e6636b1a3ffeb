import type { Batch } from '@riskboard/contract';
import {
  batchFileSource,
  type BatchFileRow,
  type Database,
  presentBatch,
  presentBatchFile,
  withOrganization,
} from '@riskboard/db';
import {
  batchFileLabel,
  batchFileSentence,
  batchFileStateLabels,
  batchLabel,
  formatCount,
  plural,
} from '@riskboard/domain';
import type { Caller } from '../lib/security/caller.ts';
import { exportedRows } from '../lib/list-export.ts';
import { escapeHtml, printHead, printTail, tableHead, tableTail } from '../lib/print-page.ts';
import { requireBatch } from './find-batch.ts';

const utc = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** Seconds between two times with one decimal; N/A when one of them is not known. */
function secondsBetween(from: string | null, to: string | null): string {
  if (from === null || to === null) return 'N/A';
  return (Math.max(0, Date.parse(to) - Date.parse(from)) / 1000).toLocaleString('en-US', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}

interface Cell {
  head: string;
  /** Class of the cell: a number, or a text that breaks into lines. */
  style?: 'n' | 'w';
}
const table = (name: string, columns: readonly Cell[]) => {
  const tag = (element: 'th' | 'td', { style }: Cell, text: string) =>
    `<${element}${element === 'th' ? ' scope="col"' : ''}${style ? ` class="${style}"` : ''}>${escapeHtml(text)}</${element}>`;
  return {
    begin: `${tableHead(name, columns.map((column) => tag('th', column, column.head)).join(''))}\n`,
    row: (texts: readonly string[]): string =>
      `<tr>${columns.map((column, n) => tag('td', column, texts[n] ?? '')).join('')}</tr>\n`,
    end: tableTail,
  };
};

const totals = table('Totals', [{ head: 'Total' }, { head: 'Count', style: 'n' }]);
const files = table('Files', [
  { head: 'File', style: 'w' },
  { head: 'Result', style: 'w' },
  { head: 'Issues', style: 'n' },
  { head: 'What happened', style: 'w' },
  { head: 'Queued (s)', style: 'n' },
  { head: 'Reading (s)', style: 'n' },
  { head: 'Extraction (s)', style: 'n' },
]);

function totalsHtml(batch: Batch): string {
  const rows = [
    ['Files', batch.files],
    ...Object.entries(batchFileStateLabels).map(
      ([state, label]) => [label, batch.states[state as keyof Batch['states']]] as const,
    ),
    ['Issues', batch.issues],
    ['Records created', batch.created],
    ['Records updated', batch.updated],
    ['Records unchanged', batch.unchanged],
    ['Records skipped', batch.skipped],
  ] as const;
  const body = rows.map(([label, count]) => totals.row([label, formatCount(count)])).join('');
  return `<section class="short"><h2>Totals</h2>${totals.begin}${body}${totals.end}</section>`;
}

function fileRow(row: BatchFileRow): string {
  const file = presentBatchFile(row);
  // A refused file was never started.
  const ended = file.startedAt === null ? null : (file.readAt ?? file.endedAt);
  return files.row([
    file.name,
    batchFileLabel(file),
    formatCount(file.issues),
    batchFileSentence(file),
    secondsBetween(file.receivedAt, file.startedAt),
    secondsBetween(file.startedAt, ended),
    secondsBetween(file.extractStartedAt, file.endedAt),
  ]);
}

/**
 * The report over all files of a batch as a page that prints, read in steps. All texts are escaped: names and messages
 * come from uploaded files.
 * @throws Failure 404, before the page begins
 */
export async function batchReport(
  database: Database,
  { organizationId }: Pick<Caller, 'organizationId'>,
  id: string,
): Promise<AsyncGenerator<string>> {
  const batch = presentBatch(
    await withOrganization(database, organizationId, (trx) => requireBatch(trx, id)),
  );
  const input = { sort: 'name', format: 'json' as const, batchId: id };
  const rows = exportedRows<BatchFileRow>(database, {
    organizationId,
    source: batchFileSource,
    query: input,
    present: (row) => ({ html: fileRow(row) }),
    name: batch.name,
  });
  const asOf = utc(new Date().toISOString());
  const ended = batch.finishedAt === null ? '' : `, ended ${utc(batch.finishedAt)}`;
  async function* page(): AsyncGenerator<string> {
    yield printHead({
      title: `Batch report: ${batch.name}`,
      about: `${batchLabel(batch)}. Started ${utc(batch.createdAt)}${ended}. As of ${asOf}.`,
    });
    yield totalsHtml(batch);
    yield `<section><h2>Files</h2><p class="note">${plural(batch.files, 'file')} by name. Queued: from the upload to the start of reading.</p>${files.begin}`;
    for await (const { html } of rows) yield String(html);
    yield `${files.end}</section>`;
    yield printTail(`The results are those at ${asOf}. Times are UTC.`);
  }
  return page();
}
