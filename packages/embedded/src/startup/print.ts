import { jsonLine } from '@riskboard/operation/log-destination';
import { isWritten, type Level } from '@riskboard/operation/log-line';
import { terminalText } from '@riskboard/operation/terminal-text';
import type { Print } from './start-error.ts';

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Text for a person: without control characters at a terminal, else one JSON log line for each of its lines that is not empty. Text without a
 * level, such as the address, is always written; LOG_LEVEL does not apply to it.
 * @param name of the program in the log
 */
export function printerTo(output: Output, name: string): Print {
  return (text, level) => {
    if (output.isTTY) {
      output.write(`${terminalText(text)}\n`);
      return;
    }
    const least = (process.env['LOG_LEVEL']?.trim() as Level | undefined) || 'info';
    if (level && !isWritten(level, least)) return;
    for (const line of text.split('\n'))
      if (line.trim() !== '') output.write(`${jsonLine(name, line.trim(), level)}\n`);
  };
}

export const print = printerTo(process.stdout, 'supervisor');
