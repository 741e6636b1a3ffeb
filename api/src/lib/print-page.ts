import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text for elements and attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (char) => entities[char] ?? char);

/**
 * For A4 and Letter. A table continues on the next page under its repeated head; a row is never divided. Texts break into
 * lines (class w) of at least a word, and heads between words, so that each table fits the page.
 */
const style = `
@page { margin: 18mm 16mm 20mm;
  @bottom-right { content: 'Page ' counter(page) ' of ' counter(pages); font: 8pt system-ui, Arial, sans-serif; color: #4a5058; } }
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem; color: #1c2024; background: #fff;
  font: 14px/1.5 system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere; }
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
.w { min-width: 7.5em; white-space: normal; }
th { border-bottom-color: #8b9199; font-weight: 600; white-space: normal; overflow-wrap: normal; }
.n { text-align: right; }
.short { break-inside: avoid; }
footer { margin-top: 2rem; padding-top: .75rem; border-top: 1px solid #d5d9de; color: #4a5058; font-size: .8125rem; }
@media screen { .wide { overflow-x: auto; } .w { min-width: 8rem; } }
@media (max-width: 30rem) { body { padding: 1rem; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .headline { background: none; } }
`;

/** The one style that a page may use, for its content security policy. */
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** The beginning of a page without scripts that prints to pages. Both texts are escaped here. */
export const printHead = ({ title, about }: { title: string; about: string }): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(about)}</p></header>
<main>`;

/** The beginning of a table, in a box that scrolls where the screen is too narrow for it. @param name is escaped here */
export const tableHead = (name: string, cells: string): string =>
  `<div class="wide" role="region" aria-label="${escapeHtml(name)}" tabindex="0"><table><thead><tr>${cells}</tr></thead><tbody>`;

export const tableTail = '</tbody></table></div>';

/** The end of a page. @param note is escaped here */
export const printTail = (note: string): string => `</main>
<footer>Riskboard. ${escapeHtml(note)}</footer>
</body>
</html>
`;

/** Sends a page that may use nothing but its own style, and is not cached. */
export const sendPrintPage = (reply: FastifyReply, html: string | Readable): FastifyReply =>
  reply
    .header(
      'content-security-policy',
      `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
