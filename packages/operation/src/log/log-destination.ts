import { type Level, readableLine } from './log-line.ts';

/** Where log lines go. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Escapes all but printable ASCII as `\u`, so that a terminal shows no control or direction character from a request
 * (OWASP ASVS 5.0, 16.4.1). The JSON value is unchanged.
 */
const printable = (line: string): string =>
  line.replaceAll(
    /[^\n -~]/g,
    (unit) => String.raw`\u${(unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** Errors of a pipe or a terminal whose reader has ended. */
const unread: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** Lets a program end in order when the reader of its output ends first, as `tee` does on Ctrl-C. */
export function outliveReaders(
  outputs: readonly Pick<NodeJS.WriteStream, 'on'>[] = [process.stdout, process.stderr],
): void {
  for (const output of outputs)
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (!unread.has(error.code)) throw error;
    });
}

/** Lines for a person at a terminal, JSON for every other reader; never both. */
export function logDestination(
  source: string,
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout,
): LogDestination {
  return {
    write(line) {
      const shown = output.isTTY ? readableLine(source, line.trimEnd(), 'trace') : printable(line.trimEnd());
      if (shown !== undefined) output.write(`${shown}\n`);
    },
  };
}

const levels = { info: 30, warn: 40, error: 50 } as const;

/** A line of this program as pino writes it: for text that is for a person, when the reader is not a terminal. */
export const jsonLine = (source: string, text: string, level: keyof typeof levels & Level = 'info'): string =>
  printable(JSON.stringify({ level: levels[level], time: Date.now(), name: source, msg: text }));

/** A line that a program of the product wrote: JSON unchanged, other text, such as the stack trace of a crash, as JSON. */
export function asJsonLine(source: string, line: string): string | undefined {
  if (line.trim() === '') return undefined;
  return isEntry(line) ? line : jsonLine(source, line, 'error');
}

function isEntry(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return typeof (JSON.parse(line) as { level?: unknown }).level === 'number';
  } catch {
    return false;
  }
}
