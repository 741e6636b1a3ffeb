import { hasManyMarks, isVisible, oneLine, withoutControls } from '../unicode.ts';
import { plural } from '../count.ts';
import type { FileField, FileReport } from './file-fields.ts';

/** Longest texts in characters, and most entries of a list. */
const longest = { name: 200, text: 20_000, entries: 200 } as const;

/** Characters that become one by NFC, at most. */
const mostComposed = 4;
/** UTF-16 units of a character, at most. */
const unitsOfCharacter = 2;

interface TextRules {
  report: FileReport;
  /** A text of one line, with at most 200 characters; empty without a visible character. */
  name?: boolean;
}

/** A text of a file, trimmed and without control and direction characters; empty when absent. */
export function readText(field: FileField | undefined, { report, name = false }: TextRules): string {
  if (field === undefined) return '';
  const { value, path } = field;
  if (value === null) return '';
  if (typeof value !== 'string') {
    report.refuse(path, `${path} must be a text.`);
    return '';
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    report.refuse(path, `${path} contains a character that cannot be stored (NUL or half a surrogate pair).`);
    return '';
  }
  const clean = withoutControls(value);
  const stated = (name ? oneLine(clean).replaceAll(/\s+/gu, ' ') : clean).trim();
  if (name && !isVisible(stated)) return '';
  const most = name ? longest.name : longest.text;
  const tooLong = () => report.refuse(path, `${path} has more than ${plural(most, 'character')}.`);
  if (stated.length > most * mostComposed * unitsOfCharacter) {
    tooLong();
    return '';
  }
  if (hasManyMarks(stated)) {
    report.refuse(path, `${path} has a character with more than 30 combining marks.`);
    return '';
  }
  const text = stated.normalize('NFC');
  if (text.length > most && Array.from(text).length > most) tooLong();
  return text;
}

/** A list of texts; a single text counts as a list of one. */
export function readTexts(field: FileField | undefined, report: FileReport): string[] {
  if (field === undefined) return [];
  const { value, path } = field;
  if (!Array.isArray(value)) return [readText(field, { report })].filter(Boolean);
  if (value.length > longest.entries) {
    report.refuse(path, `${path} has more than ${longest.entries} entries.`);
    return [];
  }
  return (value as unknown[])
    .map((one, at) => readText({ value: one, path: `${path}[${at}]` }, { report }))
    .filter(Boolean);
}
