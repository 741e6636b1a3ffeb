import type { ConsoleMessage } from 'playwright-core';
import { until } from './wait-until.ts';

/** A call that a page case makes fail on purpose, as the browser reports it in its console. */
export interface ExpectedFailure {
  /** Status of the response; 'none': there is no response. */
  status: number | 'none';
  /** Matches the call's path and query. */
  url: RegExp;
}

/** Failed loads that the console may report. */
export interface ExpectedFailures {
  /**
   * Allows these failures until the returned function is called and each has happened: a call may be answered after the last
   * case of its page. That function throws for a failure that does not happen: the page case does not do what it declares.
   */
  allow(failures: readonly ExpectedFailure[]): () => Promise<void>;
  /** Whether the message reports a failed load that is allowed now. */
  includes(message: ConsoleMessage): boolean;
}

const describeFailure = ({ status, url }: ExpectedFailure): string => `${status} of ${url.source}`;

/** Parses Chromium's message, which names a status or the reason why there is no response. */
function statusOf(text: string): ExpectedFailure['status'] | undefined {
  if (!text.startsWith('Failed to load resource')) return undefined;
  const status = /status of (\d{3})/u.exec(text)?.[1];
  return status === undefined ? 'none' : Number(status);
}

export function createExpectedFailures(): ExpectedFailures {
  const allowed = new Set<ExpectedFailure>();
  const seen = new Set<ExpectedFailure>();
  return {
    allow(failures) {
      for (const failure of failures) allowed.add(failure);
      return async () => {
        for (const failure of failures) {
          await until(describeFailure(failure), async () => seen.has(failure));
          allowed.delete(failure);
        }
      };
    },
    includes(message) {
      const status = statusOf(message.text());
      if (status === undefined) return false;
      const { pathname, search } = new URL(message.location().url);
      const match = [...allowed].find((one) => one.status === status && one.url.test(`${pathname}${search}`));
      if (match) seen.add(match);
      return match !== undefined;
    },
  };
}
