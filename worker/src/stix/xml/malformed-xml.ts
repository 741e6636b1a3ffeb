import { ReportError } from '../report-error.ts';

/** The report starts as XML does, and is not well-formed. */
export class MalformedXml extends ReportError {
  constructor(detail: string, location: string | undefined) {
    super('malformed', `Malformed XML: ${detail}`, location);
  }

  /** The same about a file whose name says that it is JSON. */
  ofJsonFile(): ReportError {
    return new ReportError(
      'malformed',
      `Not valid JSON: the file starts with "<", so that it was read as XML. ${this.message}`,
    );
  }
}
