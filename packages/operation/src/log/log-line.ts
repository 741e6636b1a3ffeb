import { terminalText } from './terminal-text.ts';

/** Levels of pino, by the name that LOG_LEVEL gives them. */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity } as const;
export type Level = keyof typeof levels;

/** Whether a line of this level is written when LOG_LEVEL is `least`. */
export const isWritten = (level: Level, least: Level): boolean => levels[level] >= levels[least];

const names: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

interface Entry {
  level: number;
  time: number;
  msg?: string;
  err?: { message?: string; stack?: string };
}

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const entry = value as Entry;
    return typeof entry.level === 'number' && typeof entry.time === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Further lines are indented, so that none looks like an entry. */
const escapeControls = (text: string): string => terminalText(text).replaceAll(/\n(?![ \t])/gu, '\n  ');

function details(entry: Entry): string {
  const { msg, err } = entry;
  if (!err) return msg ?? '';
  const shown = entry.level >= levels.error ? (err.stack ?? err.message) : err.message;
  return msg && msg !== err.message ? `${msg}: ${shown}` : String(shown);
}

/**
 * Formats a pino log line for a terminal: time, process, level, message. @returns undefined below the level `least`.
 * Other output, such as the stack trace of a process that could not start, is kept as it is.
 */
export function readableLine(source: string, line: string, least: Level): string | undefined {
  const entry = parse(line);
  if (!entry) return line.trim() === '' ? undefined : `${source}  ${escapeControls(line)}`;
  if (entry.level < levels[least]) return undefined;
  const time = new Date(entry.time).toTimeString().slice(0, 8);
  return `${time}  ${source}  ${names[entry.level] ?? entry.level}  ${escapeControls(details(entry))}`;
}
