export type LineLevel = 'info' | 'warn' | 'error';
/** Prints one line for the user; in a log it has this level, and without one LOG_LEVEL does not leave it out. */
export type Print = (line: string, level?: LineLevel) => void;

/** An error that the user can fix: printed as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
