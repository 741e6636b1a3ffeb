import type { Asset } from '@riskboard/contract';
import { highLevel } from '@riskboard/domain';
import { Tooltip } from '../../../ui/popup/tooltip.tsx';
import { protectionsOf, type Protection } from '../protection.ts';

const spoken = ({ label, level, outOf, text }: Protection): string =>
  level === null ? `${label}: not set` : `${label}: ${level} of ${outOf}, ${text}`;

/** Confidentiality, integrity and availability as 'C5 I4 A3', with their full names for screen readers and on hover. */
export function CiaCell({ row }: { row: Asset }) {
  const protections = protectionsOf(row);
  return (
    <Tooltip
      content={protections.map((one) => (
        <span key={one.initial} className="block">
          {spoken(one)}
        </span>
      ))}
    >
      <span className="inline-flex gap-2 tabular-nums">
        <span className="sr-only">{protections.map(spoken).join('; ')}</span>
        {protections.map(({ initial, level }) => (
          <span key={initial} aria-hidden className="inline-flex items-baseline gap-px">
            <span className="text-xs text-muted">{initial}</span>
            <span
              className={
                level === null ? 'text-muted' : level >= highLevel ? 'font-semibold text-text' : 'text-text'
              }
            >
              {level ?? '–'}
            </span>
          </span>
        ))}
      </span>
    </Tooltip>
  );
}
