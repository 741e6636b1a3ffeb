import { jsonLine } from '@riskboard/operation/log-destination';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Text for a person: as it is at a terminal, else one JSON log line for each of its lines that is not empty. */
export function printTo(output: Output, text: string): void {
  if (output.isTTY) {
    output.write(`${text}\n`);
    return;
  }
  for (const line of text.split('\n'))
    if (line.trim() !== '') output.write(`${jsonLine('supervisor', line.trim())}\n`);
}

export const print = (text: string): void => printTo(process.stdout, text);
