const copySpecial = /[\\\n\r\t]/u;
const copyEscapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value in COPY's text format (PostgreSQL manual, COPY, Text Format). */
export function copyCell(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return copySpecial.test(value) ? value.replaceAll(/[\\\n\r\t]/gu, (c) => copyEscapes[c] ?? c) : value;
}
