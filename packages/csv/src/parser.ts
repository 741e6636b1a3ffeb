/** A row of a CSV file. */
export interface CsvRow {
  /** Line of the file in which the row begins, counted from 1; a line break inside quotes counts too. */
  line: number;
  cells: string[];
}

/** A file that is not CSV. The message names the line. */
export class CsvFault extends Error {}

/** Longest cell in characters: a text of the product has at most 100,000. A longer one has an unclosed quote. */
const cellMax = 1_000_000;
/** Most cells in a row: a file of one line must not fill the memory. */
const cellsMax = 10_000;

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const unclosed = (line: number) => new CsvFault(`The quote that opens in line ${line} is not closed.`);

/**
 * Reads CSV (RFC 4180) piece by piece: rows end with LF, CRLF or CR, also mixed; quotes are doubled inside quotes, and a
 * quote inside an unquoted cell is an ordinary character. Rows without any text are left out.
 */
export class CsvParser {
  readonly #delimiter: number;
  #rows: CsvRow[] = [];
  #cells: string[] = [];
  #cell = '';
  /** Line of the current character, and of the first one of the row. */
  #line = 1;
  #rowLine = 1;
  #quoteLine = 0;
  #isQuoted = false;
  /** The last piece ended with a quote inside quotes: it closes them, or is the first of two. */
  #isQuotePending = false;
  /** The last character was CR: an LF after it is part of the same line break. */
  #isAfterReturn = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** @returns the rows that end in this piece. @throws CsvFault */
  push(text: string): CsvRow[] {
    let at = 0;
    while (at < text.length) at = this.#isQuoted ? this.#readQuoted(text, at) : this.#readPlain(text, at);
    return this.#take();
  }

  /** @returns the last row, if the file does not end with a line break. @throws CsvFault */
  end(): CsvRow[] {
    if (this.#isQuoted && !this.#isQuotePending) throw unclosed(this.#quoteLine);
    if (this.#cells.length > 0 || this.#cell !== '') this.#endRow();
    return this.#take();
  }

  #take(): CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #readQuoted(text: string, from: number): number {
    if (this.#isQuotePending) {
      this.#isQuotePending = false;
      if (text.charCodeAt(from) !== quote) {
        this.#isQuoted = false;
        return from;
      }
      this.#append('"');
      return from + 1;
    }
    const found = text.indexOf('"', from);
    const end = found === -1 ? text.length : found;
    this.#countLines(text, from, end);
    this.#append(text.slice(from, end));
    if (found === -1) return end;
    this.#isAfterReturn = false;
    this.#isQuotePending = true;
    return end + 1;
  }

  #countLines(text: string, from: number, end: number): void {
    for (let at = from; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === carriageReturn || (code === lineFeed && !this.#isAfterReturn)) this.#line += 1;
      this.#isAfterReturn = code === carriageReturn;
    }
  }

  #readPlain(text: string, from: number): number {
    if (this.#isAfterReturn) {
      this.#isAfterReturn = false;
      if (text.charCodeAt(from) === lineFeed) return from + 1;
    }
    if (this.#cell === '' && text.charCodeAt(from) === quote) {
      this.#isQuoted = true;
      this.#quoteLine = this.#line;
      return from + 1;
    }
    let at = from;
    let code = 0;
    for (; at < text.length; at += 1) {
      code = text.charCodeAt(at);
      if (code === this.#delimiter || code === lineFeed || code === carriageReturn) break;
    }
    this.#append(text.slice(from, at));
    if (at === text.length) return at;
    if (code === this.#delimiter) this.#endCell();
    else this.#endLine(code);
    return at + 1;
  }

  #append(text: string): void {
    this.#cell += text;
    if (this.#cell.length <= cellMax) return;
    if (this.#isQuoted) throw unclosed(this.#quoteLine);
    throw new CsvFault(`Line ${this.#line} has a cell that is too long.`);
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    if (this.#cells.length > cellsMax) throw new CsvFault(`Line ${this.#line} has too many cells.`);
  }

  #endLine(code: number): void {
    this.#endRow();
    this.#isAfterReturn = code === carriageReturn;
    this.#line += 1;
    this.#rowLine = this.#line;
  }

  #endRow(): void {
    this.#endCell();
    if (this.#cells.some((cell) => cell.trim() !== ''))
      this.#rows.push({ line: this.#rowLine, cells: this.#cells });
    this.#cells = [];
  }
}

const delimiters = [',', ';', '\t'] as const;

/** The first line `sep=;`, which names the delimiter of the file for Excel. */
const delimiterLine = /^"?sep=([^"\r\n])"?(?=[\r\n])/iu;

/** The beginning of a file with its line `sep=;` left empty, so that it is no row and the others keep their lines. */
export const withoutDelimiterLine = (head: string): string => head.replace(delimiterLine, '');

/** The delimiter that a line `sep=;` names, or that the first line uses most outside quotes; a comma when it uses none. */
export function delimiterOf(head: string): string {
  const named = delimiterLine.exec(head)?.[1];
  if (named !== undefined) return named;
  const firstLine = (/^(?:"[^"]*"|[^"\r\n])*/u.exec(head.trimStart())?.[0] ?? '').replaceAll(/"[^"]*"/gu, '');
  const counted = delimiters.map((delimiter) => ({ delimiter, count: firstLine.split(delimiter).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).delimiter;
}
