import type { ConsoleMessage } from 'playwright-core';

/** A call that a visit makes fail on purpose, as the browser tells it in its console. */
export interface Provoked {
  /** Status of the answer; 'none': there is no answer. */
  status: number | 'none';
  /** Of the call's path and query. */
  url: RegExp;
}

/** Failed loads that may stand in a console. */
export interface Announced {
  /** Until the returned function is called, these are no complaint. */
  announce(provoked: readonly Provoked[]): () => void;
  /** Whether the message is a failed load, and one that was announced. */
  takes(message: ConsoleMessage): boolean;
  /** What was announced and never came: the visit does not do what it says. */
  missing(): string[];
}

const words = ({ status, url }: Provoked): string => `${status} of ${url.source}`;

/** As Chromium words it, with a status or with the reason why there is none. */
function statusOf(text: string): Provoked['status'] | undefined {
  if (!text.startsWith('Failed to load resource')) return undefined;
  const status = /status of (\d{3})/u.exec(text)?.[1];
  return status === undefined ? 'none' : Number(status);
}

export function announced(): Announced {
  const all = new Set<Provoked>();
  const open = new Set<Provoked>();
  const seen = new Set<Provoked>();
  return {
    announce(provoked) {
      for (const one of provoked) {
        all.add(one);
        open.add(one);
      }
      return () => provoked.forEach((one) => open.delete(one));
    },
    takes(message) {
      const status = statusOf(message.text());
      if (status === undefined) return false;
      const { pathname, search } = new URL(message.location().url);
      const meant = [...open].find((one) => one.status === status && one.url.test(`${pathname}${search}`));
      if (meant) seen.add(meant);
      return meant !== undefined;
    },
    missing: () => [...all].filter((one) => !seen.has(one)).map(words),
  };
}
