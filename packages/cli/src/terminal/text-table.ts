const longest = 60;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const split = (text: string): string[] => Array.from(characters.segment(text), ({ segment }) => segment);

/**
 * The characters of one cell. Names come from reports: control characters, line breaks and bidirectional marks must not
 * reach a terminal (OWASP ASVS 5.0, 16.4.1).
 */
function cell(text: string): string[] {
  const plain = split(text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' '));
  return plain.length > longest ? [...plain.slice(0, longest - 1), '…'] : plain;
}

/** Rows in columns of the width of their longest cell, under a line of headers. */
export function textTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headers, ...rows].map((row) => row.map(cell));
  const widths = headers.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[][]): string =>
    row
      .map((text, column) => text.join('').concat(' '.repeat((widths[column] ?? 0) - text.length)))
      .join('  ');
  return cells.map((row) => `${line(row).trimEnd()}\n`).join('');
}
