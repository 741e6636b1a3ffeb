import { cleanText, type Refusal } from '@riskboard/domain';

export type ReportErrorCode = Refusal['code'] | 'too-deep' | 'too-large' | 'too-many-attributes';

/** The report is invalid: a business outcome that is stored in the job's row and not retried. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly code: ReportErrorCode;
  /** Line and column, byte offset or path; absent when the error is about the whole file. */
  readonly location: string | undefined;

  constructor(code: ReportErrorCode, message: string, location?: string) {
    // The message may quote the file, and is stored.
    super(cleanText(location === undefined ? message : `${message} (${location})`));
    this.code = code;
    this.location = location;
  }

  static of(refusal: Refusal): ReportError {
    return new ReportError(refusal.code, refusal.message);
  }
}
