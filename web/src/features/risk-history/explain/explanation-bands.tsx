import { Check } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';
import type { Explanation } from '../queries.ts';

/** Bands of a number with their thresholds; the current one is marked. */
export function ExplanationBands({ bands }: Pick<Explanation, 'bands'>) {
  return (
    <ul className="divide-y rounded border text-sm">
      {bands.map(({ label, rule, current }) => (
        <li
          key={label}
          aria-current={current || undefined}
          className={`flex items-baseline gap-3 px-3 py-1.5 ${current ? 'bg-hover font-medium' : ''}`}
        >
          <span className="w-20 shrink-0">{label}</span>
          <span className="grow font-normal text-muted">{rule}</span>
          {current && (
            <Badge tone="info" icon={<Check aria-hidden size={12} />}>
              Current
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
