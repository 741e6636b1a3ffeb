import { useQuery } from '@tanstack/react-query';
import { utcDay } from '../../lib/format/history-range.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { metricsQuery } from '../../lib/overview/metrics-query.ts';

/**
 * The current UTC day of the server, which refuses later days: the clock of the browser is corrected by the time of the
 * metrics, where the page has loaded them.
 */
export function useToday(): string {
  const now = useNow();
  const { data, dataUpdatedAt } = useQuery({ ...metricsQuery, enabled: false });
  const ahead = data === undefined ? 0 : dataUpdatedAt - Date.parse(data.asOf);
  return utcDay(now - ahead);
}
