import { jsonLine } from '@riskboard/operation/log-destination';
import { isWritten, type Level } from '@riskboard/operation/log-line';
import type { LineLevel } from './start-error.ts';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/**
 * Text for a person: as it is at a terminal, else one JSON log line for each of its lines that is not empty. Text without a
 * level, such as the address, is always written; LOG_LEVEL does not apply to it.
 */
export function printTo(output: Output, text: string, level?: LineLevel): void {
  if (output.isTTY) {
    output.write(`${text}\n`);
    return;
  }
  const least = (process.env['LOG_LEVEL'] as Level | undefined) || 'info';
  if (level && !isWritten(level, least)) return;
  for (const line of text.split('\n'))
    if (line.trim() !== '') output.write(`${jsonLine('supervisor', line.trim(), level)}\n`);
}

export const print = (text: string, level?: LineLevel): void => printTo(process.stdout, text, level);
