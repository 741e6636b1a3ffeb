import { createHash } from 'node:crypto';
import type { Cell, ReportColumn, ReportTable, RiskReport } from './report.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, (char) => entities[char] ?? char);

/** For A4 and Letter. A table continues on the next page under its repeated head; a row is never divided. */
const style = `
@page { margin: 18mm 16mm 20mm;
  @bottom-right { content: 'Page ' counter(page) ' of ' counter(pages); font: 8pt system-ui, Arial, sans-serif; color: #4a5058; } }
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem; color: #1c2024; background: #fff;
  font: 14px/1.5 system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; }
header { border-bottom: 2px solid #1c2024; padding-bottom: 1rem; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2; }
header p { margin: 0; color: #4a5058; }
h2 { margin: 2rem 0 .25rem; font-size: 1.125rem; break-after: avoid; }
.note { margin: 0 0 .5rem; color: #4a5058; break-after: avoid; }
.headline { margin: 1.25rem 0 0; padding: .75rem 1rem; border-left: 4px solid #2a5bd7; background: #f2f5fb; font-size: 1rem; }
.headline p { margin: 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #d5d9de; text-align: left; vertical-align: top; white-space: nowrap; }
.w { white-space: normal; overflow-wrap: anywhere; }
th { border-bottom-color: #8b9199; font-weight: 600; }
.n { text-align: right; }
.short { break-inside: avoid; }
footer { margin-top: 2rem; padding-top: .75rem; border-top: 1px solid #d5d9de; color: #4a5058; font-size: .8125rem; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .headline { background: none; } }
`;

/** The one style that the page may use, for its content security policy. */
export const reportStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

function cellText(value: Cell | undefined, digits = 0): string {
  if (value === null || value === undefined || value === '') return 'N/A';
  if (typeof value === 'string') return value;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: 3 });
}

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
      `<tr>${columns.map((column) => `<td${styleOf(column)}>${escape(cellText(row[column.key], column.digits))}</td>`).join('')}</tr>`,
  );
  const table =
    rows.length === 0
      ? `<p>${escape(empty)}</p>`
      : `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
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
  const time = `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;
  const title = `Risk report: ${subject}`;
  const about = isProject ? `Project of ${organization}. ` : '';
  const sentences = headline.map((text) => `<p>${escape(text)}</p>`).join('');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body>
<header><h1>${escape(title)}</h1><p>${escape(about)}As of ${time}. Requested by ${escape(author)}.</p></header>
<main>
${sentences === '' ? '' : `<div class="headline">${sentences}</div>`}
${tables.map(tableHtml).join('\n')}
</main>
<footer>Riskboard. All numbers are those of the overview and of the lists at ${time}. Days and times are UTC.</footer>
</body>
</html>
`;
}
