/**
 * The lines of a CSV export, with quotes only around cells that need them.
 * @throws when a cell is not quoted
 */
export function csvLines(body: string): string[] {
  const text = body.replace('\u{feff}', '');
  const cell = /"(?<value>(?:[^"]|"")*)"(?<end>,|\n|$)/uy;
  const lines: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const { value = '', end } = cell.exec(text)?.groups ?? {};
    if (end === undefined) throw new Error(`A cell is not quoted: ${text.slice(at, at + 40)}`);
    lines.at(-1)?.push(/[",\n]/u.test(value) ? `"${value}"` : value);
    if (end === '\n' && cell.lastIndex < text.length) lines.push([]);
  }
  return lines.map((cells) => cells.join(','));
}
