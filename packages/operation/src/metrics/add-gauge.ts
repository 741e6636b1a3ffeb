import { Gauge, type GaugeConfiguration, type Registry } from '@prometheus-io/client';

/** Adds a figure that is read when it is collected. `collect` sets its values with `this`. */
export function addGauge<const L extends string>(
  registry: Registry,
  config: Omit<GaugeConfiguration<L>, 'registers'>,
): Gauge<L> {
  return new Gauge<L>({ ...config, registers: [registry] });
}
