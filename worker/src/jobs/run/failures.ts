/** A business outcome: the job ends, and its row contains the reason. Not retried. */
export class JobFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** This run no longer owns its job: cancelled, deleted, or taken over. Its work is rolled back and nothing is published. */
export class Superseded extends Error {
  constructor() {
    super('The job belongs to another run now');
  }
}
