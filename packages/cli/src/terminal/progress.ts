import type { Io } from '../command.ts';

const width = 24;

export interface ProgressLine {
  /** `done` of `total`; total 0 means unknown. */
  show(label: string, done: number, total: number): void;
  /** Removes the line. */
  clear(): void;
}

/** At most so often, in milliseconds. */
const everyMs = 80;

/** A bar on standard error, only when that is a terminal. */
export function progressLine({ stderr }: Pick<Io, 'stderr'>): ProgressLine {
  if (!stderr.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = 0;
  return {
    show(label, done, total) {
      if (performance.now() - shownAt < everyMs) return;
      shownAt = performance.now();
      const part = total > 0 ? Math.min(1, done / total) : 0;
      const filled = Math.round(part * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      stderr.redraw(`${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${label}`);
    },
    clear: () => stderr.redraw(''),
  };
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as a person reads it; 1 KB is 1,000 bytes. */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
