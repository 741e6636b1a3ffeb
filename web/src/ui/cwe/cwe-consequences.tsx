import type { Cwe } from '@riskboard/contract';
import { Badge } from '../badge/badge.tsx';

/** What comes of a weakness that is exploited: of what, and how. */
export function CweConsequences({ consequences }: { consequences: Cwe['Consequences'] }) {
  if (consequences.length === 0) return null;
  return (
    <section aria-label="Common consequences" className="border-t p-4">
      <h3 className="mb-2 text-sm font-semibold">Common consequences</h3>
      <ul className="flex flex-col gap-3">
        {consequences.map(({ Scope, Impact, Note }) => (
          <li key={`${Scope.join()} ${Impact.join()} ${Note}`} className="flex flex-col gap-1 text-sm">
            <span className="flex flex-wrap gap-1">
              {Scope.map((scope) => (
                <Badge key={scope}>{scope}</Badge>
              ))}
            </span>
            <span>{Impact.join(', ')}</span>
            {Note !== '' && <span className="text-muted">{Note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
