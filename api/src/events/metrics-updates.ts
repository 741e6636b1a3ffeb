import type { OrganizationEvent, OverviewMetrics } from '@riskboard/contract';

/** Between two messages of an organization in this process; changes within it are in one message. */
const everyMs = 1000;

const changing: ReadonlySet<unknown> = new Set<OrganizationEvent['type']>([
  'vulnerability.changed',
  'threat.changed',
  'asset.changed',
  'project.changed',
  'overview.changed',
]);

/** Whether the numbers of the overview may have changed: records did, or a recomputation repaired them. */
export const mayChangeMetrics = (message: unknown): boolean =>
  changing.has((message as Partial<OrganizationEvent>).type);

export interface MetricsUpdates {
  /** Something happened after which the numbers are read again. */
  changed(): void;
  stop(): void;
}

/** Sends `metrics.updated` after changes, at most once a second; the last change is always followed by a message. */
export function metricsUpdates(
  read: () => Promise<OverviewMetrics>,
  deliver: (message: { type: 'metrics.updated'; metrics: OverviewMetrics }) => void,
  onError: (error: unknown) => void,
): MetricsUpdates {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isStale = false;
  let stopped = false;
  let sent: string | undefined;

  function changed(): void {
    isStale = true;
    if (!isReading && !stopped) timer ??= setTimeout(() => void update(), everyMs);
  }

  async function update(): Promise<void> {
    timer = undefined;
    isStale = false;
    isReading = true;
    try {
      const metrics = await read();
      const { asOf: _asOf, ...numbers } = metrics;
      const text = JSON.stringify(numbers);
      if (!stopped && text !== sent) deliver({ type: 'metrics.updated', metrics });
      sent = text;
    } catch (error) {
      if (!stopped) onError(error);
    } finally {
      isReading = false;
    }
    if (isStale) changed();
  }

  return {
    changed,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
