import { printerTo } from '../startup/print.ts';

/** A progress line that redraws itself; without a terminal, one line per phase. */
export interface ProgressBar {
  /** `done` of `total`; total 0 means unknown. */
  show(phase: string, done: number, total: number): void;
  /** Replaces the bar with a last line. */
  end(text: string): void;
}

const width = 28;

export function drawBar(phase: string, done: number, total: number): string {
  const part = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const filled = Math.round(part * width);
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
  return `  ${bar} ${String(Math.round(part * 100)).padStart(3)} %  ${phase}`;
}

export function progressBar(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): ProgressBar {
  const print = printerTo(output, 'supervisor');
  let last = '';
  return {
    show(phase, done, total) {
      if (output.isTTY) output.write(`\r\u001B[K${drawBar(phase, done, total)}`);
      else if (phase !== last) print(`  ${phase}`);
      last = phase;
    },
    end(text) {
      if (output.isTTY) output.write('\r\u001B[K');
      print(`  ${text}`);
    },
  };
}
