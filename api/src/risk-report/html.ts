import { formatDay } from '@riskboard/domain';
import { escapeHtml as escape, printHead, printTail, tableHead, tableTail } from '../lib/print-page.ts';
import type { ReportColumn, ReportTable, RiskReport } from './report.ts';

function cellText(row: ReportTable['rows'][number], column: ReportColumn): string {
  const { key, digits = 0, isSigned, isDay, hasUnit } = column;
  const { [key]: value } = row;
  if (value === null || value === undefined || value === '') return 'N/A';
  if (typeof value === 'string') return isDay ? formatDay(value) : value;
  const text = value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: 3,
    signDisplay: isSigned ? 'exceptZero' : 'auto',
  });
  return `${text.replace('-', '−')}${hasUnit ? (row['unit'] ?? '') : ''}`;
}

/** Names may be written from right to left: the first letter of a text decides. */
const directionOf = ({ isNumber }: ReportColumn): string => (isNumber ? '' : ' dir="auto"');

function styleOf({ isNumber, wraps }: ReportColumn): string {
  if (isNumber) return ' class="n"';
  return wraps ? ' class="w"' : '';
}

/** Rows of a table that is kept on one page. */
const shortTable = 8;

function tableHtml({ title, note, columns, rows, empty }: ReportTable): string {
  const head = columns.map((column) => `<th scope="col"${styleOf(column)}>${escape(column.label)}</th>`);
  const body = rows.map(
    (row) =>
      `<tr>${columns.map((column) => `<td${directionOf(column)}${styleOf(column)}>${escape(cellText(row, column))}</td>`).join('')}</tr>`,
  );
  const table =
    rows.length === 0
      ? `<p>${escape(empty)}</p>`
      : `${tableHead(title, head.join(''))}${body.join('')}${tableTail}`;
  return `<section${rows.length <= shortTable ? ' class="short"' : ''}><h2>${escape(title)}</h2><p class="note">${escape(note)}</p>${table}</section>`;
}

/** The report as a page without scripts. All texts are escaped: names of records come from uploaded files. */
export function reportHtml({
  subject,
  organization,
  isProject,
  asOf,
  author,
  headline,
  tables,
}: RiskReport): string {
  const time = `${formatDay(asOf)}, ${asOf.slice(11, 16)} UTC`;
  const title = `Risk report: ${subject}`;
  const about = isProject ? `Project of ${organization}. ` : '';
  const sentences = headline.map((text) => `<p>${escape(text)}</p>`).join('');
  return `${printHead({ title, about: `${about}As of ${time}. Requested by ${author}.` })}
${sentences === '' ? '' : `<div class="headline">${sentences}</div>`}
${tables.map(tableHtml).join('\n')}
${printTail(`All numbers are those of the overview and of the lists at ${time}. Days and times are UTC.`)}`;
}
