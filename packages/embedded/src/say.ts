/** One line for the person at the terminal, not for the log. */
export type Say = (line: string) => void;

/** A reason to stop that the person can mend: shown as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
