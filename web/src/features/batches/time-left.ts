/** How many files had ended at one moment. `at` in milliseconds. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Only recent samples count, so that the estimate follows the rate. */
const windowMs = 60_000;
/** Rates over a shorter span are too inaccurate to show. */
const shortestMs = 5000;

/**
 * Adds a sample when the number has changed: the same array when it has not. The sample before the newest one is kept
 * however old it is, because large files end seldom. A number that decreases starts over.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last?.done === sample.done) return samples;
  if (last === undefined || sample.done < last.done) return [sample];
  return [...samples.filter((one) => one === last || sample.at - one.at <= windowMs), sample];
}

/** Milliseconds that the files that are left take at the rate of the samples; null while there are too few. */
export function timeLeft(
  samples: readonly Sample[],
  { now, left }: { now: number; left: number },
): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.done === first.done || now - first.at < shortestMs) return null;
  return ((now - first.at) / (last.done - first.done)) * left;
}
