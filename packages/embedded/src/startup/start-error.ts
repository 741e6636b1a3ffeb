/** Prints one line for the user at the terminal; it does not go to the log. */
export type Print = (line: string) => void;

/** An error that the user can fix: printed as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
