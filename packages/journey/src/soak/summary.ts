import { type Entry, type Operation, ofType } from './history.ts';

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** The figures of a run, a line each. */
export function summarize(entries: readonly Entry[]): string[] {
  const operations = ofType(entries, 'operation');
  const faults = ofType(entries, 'fault');
  const memory = ofType(entries, 'memory');
  const count = (outcome: Operation['outcome']) => operations.filter((one) => one.outcome === outcome).length;
  const recovery = faults
    .flatMap(({ endedAt, recoveredAt }) => (recoveredAt === null ? [] : [recoveredAt - endedAt]))
    .toSorted((a, b) => a - b);
  const kinds = [...Map.groupBy(faults, ({ kind }) => kind)].map(([kind, all]) => `${kind} ${all.length}`);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  return [
    `Operations ${operations.length}: acknowledged ${count('acknowledged')}, failed ${count('failed')}, unknown ${count('unknown')}`,
    `Events ${ofType(entries, 'event').length}`,
    `Faults ${faults.length}: ${kinds.toSorted().join(', ')}`,
    `Recovery: median ${seconds(percentile(recovery, 0.5))} s, longest ${seconds(recovery.at(-1) ?? 0)} s, never ${faults.length - recovery.length}`,
    `Memory in MB at the start ${JSON.stringify(memory[0]?.processes ?? {})}, at the end ${JSON.stringify(memory.at(-1)?.processes ?? {})}`,
  ];
}
