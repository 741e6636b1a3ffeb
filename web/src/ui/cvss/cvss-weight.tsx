import type { CvssWeight as Weight } from '@riskboard/domain';

const bars = [
  { level: 1, height: 'h-1.5' },
  { level: 2, height: 'h-2.5' },
  { level: 3, height: 'h-3.5' },
] as const;

/**
 * Bars that show how much a value raises the score, readable without color. Renders nothing for metrics without a
 * weight.
 */
export function CvssWeight({ weight }: { weight: Weight }) {
  if (weight === null) return null;
  return (
    <span className="inline-flex shrink-0 items-end gap-0.5" title={`Raises the score ${weight} of 3`}>
      {bars.map(({ level, height }) => (
        <span
          key={level}
          aria-hidden
          className={`w-1 border ${height} ${level <= weight ? 'border-text bg-text' : 'border-line-strong'}`}
        />
      ))}
      <span className="sr-only">weight {weight} of 3</span>
    </span>
  );
}
