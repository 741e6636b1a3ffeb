import type { CweMitigation } from '@riskboard/contract';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Prose } from '../../../ui/record/prose.tsx';

const noPhase = 'Any phase';

/** Mitigations by the phases in which they apply; one that applies in several phases is under all of them together. */
const byPhase = (mitigations: readonly CweMitigation[]) =>
  Map.groupBy(mitigations, ({ Phase }) => (Phase.length === 0 ? noPhase : Phase.join(', ')));

/** Potential mitigations of a weakness, by phase. */
export function Mitigations({ mitigations }: { mitigations: readonly CweMitigation[] }) {
  if (mitigations.length === 0) return null;
  return (
    <Card title="Potential mitigations">
      <div className="divide-y">
        {[...byPhase(mitigations)].map(([phase, all]) => (
          <section key={phase} aria-label={phase} className="flex flex-col gap-3 p-4">
            <h3 className="text-sm font-semibold">{phase}</h3>
            <ul className="flex flex-col gap-4">
              {all.map(({ Strategy, Description, Effectiveness, EffectivenessNotes }) => (
                <li key={`${Strategy} ${Description}`} className="flex flex-col gap-1">
                  {(Strategy !== '' || Effectiveness !== '') && (
                    <span className="flex flex-wrap items-center gap-2 text-sm">
                      {Strategy !== '' && <span className="text-muted">Strategy: {Strategy}</span>}
                      {Effectiveness !== '' && <Badge>Effectiveness: {Effectiveness}</Badge>}
                    </span>
                  )}
                  <Prose text={Description} label="the mitigation" />
                  {EffectivenessNotes !== '' && (
                    <p className="max-w-[80ch] text-sm whitespace-pre-line text-muted">
                      {EffectivenessNotes}
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Card>
  );
}
