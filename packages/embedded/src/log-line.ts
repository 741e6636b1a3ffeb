/** Levels of pino, by the name that LOG_LEVEL gives them. */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity } as const;
export type Level = keyof typeof levels;

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

/**
 * What strangers wrote gets no say over the terminal: controls, escape sequences among them, and the marks that turn
 * the direction of text are shown as their codes (OWASP ASVS 5.0, 16.4.1). Lines stay lines, further in, so that none of
 * them looks like an entry of its own.
 */
const harmless = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n(?![ \t])/gu, '\n  ')
    .replaceAll(
      /[[\p{C}\p{Zl}\p{Zp}]--[\n\t]]/gv,
      (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
    );

function details(entry: Entry): string {
  const { msg, err } = entry;
  if (!err) return msg ?? '';
  const shown = entry.level >= levels.error ? (err.stack ?? err.message) : err.message;
  return msg && msg !== err.message ? `${msg}: ${shown}` : String(shown);
}

/**
 * A log line of pino for the eye: time, process, level, words. @returns undefined when it is below `least`.
 * What is not pino's (a stack trace of a process that could not start) is shown as it is.
 */
export function readableLine(source: string, line: string, least: Level): string | undefined {
  const entry = parse(line);
  if (!entry) return line.trim() === '' ? undefined : `${source}  ${harmless(line)}`;
  if (entry.level < levels[least]) return undefined;
  const time = new Date(entry.time).toTimeString().slice(0, 8);
  return `${time}  ${source}  ${names[entry.level] ?? entry.level}  ${harmless(details(entry))}`;
}
