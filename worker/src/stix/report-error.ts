import type { Refusal } from '@riskboard/domain';

export type ReportErrorCode = Refusal['code'] | 'too-deep' | 'too-large' | 'too-many-attributes';

/** The report cannot be read: a business outcome that goes on the job's row, never retried. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly code: ReportErrorCode;
  /** Line and column, byte offset or path; absent when the file as a whole is at fault. */
  readonly location: string | undefined;

  constructor(code: ReportErrorCode, message: string, location?: string) {
    super(location === undefined ? message : `${message} (${location})`);
    this.code = code;
    this.location = location;
  }

  static of(refusal: Refusal): ReportError {
    return new ReportError(refusal.code, refusal.message);
  }
}
