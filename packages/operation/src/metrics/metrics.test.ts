import { Counter, type Registry } from '@prometheus-io/client';
import { expect, it } from 'vitest';
import { openMetrics } from './metrics.ts';

const namesOf = (registry: Registry): string[] => registry.getMetricsAsArray().map(({ name }) => name);

it('registries of one process share its figures, which are measured by timers that never end', async () => {
  const one = openMetrics();
  const other = openMetrics();
  expect(namesOf(one)).toContain('nodejs_eventloop_lag_seconds');
  expect(namesOf(other)).toEqual(namesOf(one));
  for (const name of namesOf(one)) expect(other.getSingleMetric(name)).toBe(one.getSingleMetric(name));
  expect(await other.metrics()).toMatch(/^process_resident_memory_bytes [1-9]/mu);
});

it('what is added to one registry is not in the others', async () => {
  const [one, other] = [openMetrics(), openMetrics()];
  new Counter({ name: 'riskboard_added_total', help: 'Test.', registers: [one] }).inc(3);
  expect(await one.metrics()).toContain('\nriskboard_added_total 3\n');
  expect(namesOf(other)).not.toContain('riskboard_added_total');
});
