import { terminalJson, terminalText } from '@riskboard/operation/terminal-text';
import type { Output, Stream } from '../command.ts';

/** The text on one line, so that it cannot look like a line of the program. */
export const oneLine = (text: string): string => text.replaceAll(/[\t\n\r\u2028\u2029]+/gu, ' ');

/**
 * A stream to which commands write text of reports, of the server and of the disk: control characters and escape sequences in
 * it do not reach a terminal. Bytes, such as those of an export, are changed only for a terminal.
 */
export function terminalOutput(stream: Stream): Output {
  const decoder = new TextDecoder();
  return {
    isTTY: stream.isTTY === true,
    write(text, done) {
      if (typeof text === 'string') stream.write(terminalText(text), done);
      else stream.write(stream.isTTY ? terminalText(decoder.decode(text, { stream: true })) : text, done);
    },
    writeJson(value, indent) {
      stream.write(`${terminalJson(JSON.stringify(value, null, indent))}\n`);
    },
    redraw(text) {
      const line = terminalText(oneLine(text)).slice(0, (stream.columns ?? 80) - 1);
      stream.write(`\r\u001B[K${line}`);
    },
  };
}
