import { setTimeout as sleep } from 'node:timers/promises';
import { type Backend, startInstallation } from '../installation/installation.ts';
import { functionalJourney, type JourneyResult } from './functional-journey.ts';

export interface ErrorOptions {
  /** Share of the transactions, and of the queue messages, that fail; 0 to 1. */
  rate: number;
  seed: number;
  backend: Backend;
}

const injectErrors = new URL('inject-errors.ts', import.meta.url).href;

/** Runs the journey in one organization without errors, then in another one with errors, on the same processes. */
export async function runWithErrors({
  rate,
  seed,
  backend,
}: ErrorOptions): Promise<{ without: JourneyResult; under: JourneyResult }> {
  const installation = await startInstallation({
    backend,
    preload: [injectErrors],
    env: { SEEDED_ERRORS: JSON.stringify({ rate, seed }) },
  });
  try {
    const without = await functionalJourney(installation.origins, 'ada@example.org');
    for (const program of [...installation.apis, ...installation.workers]) program.child().kill('SIGUSR2');
    await sleep(100);
    const under = await functionalJourney(installation.origins, 'grace@example.org');
    return { without, under };
  } catch (error) {
    throw new Error(`The journey failed:\n${installation.log().slice(-8000)}`, { cause: error });
  } finally {
    await installation.stop();
  }
}
