import type { AssetDetail } from '@riskboard/contract';
import { highLevel } from '@riskboard/domain';
import { Card } from '../../../ui/layout/card.tsx';
import { Prose } from '../../../ui/record/prose.tsx';
import { protectionsOf, type Protection } from '../protection.ts';

/** One block for each step of the scale; the reached ones are filled. */
function LevelMeter({ level, outOf }: { level: number; outOf: number }) {
  const color = level >= highLevel ? 'bg-accent' : 'bg-line-strong';
  return (
    <span aria-hidden className="flex w-20 shrink-0 gap-1">
      {Array.from({ length: outOf }, (_, step) => (
        <span key={step} className={`h-2 grow rounded ${step < level ? color : 'bg-hover'}`} />
      ))}
    </span>
  );
}

function Goal({ protection, description }: { protection: Protection; description: string }) {
  const { label, level, outOf, text } = protection;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <dt className="w-full shrink-0 text-sm text-muted sm:w-28">{label}</dt>
      <dd className="flex min-w-0 items-center gap-3">
        {level !== null && <LevelMeter level={level} outOf={outOf} />}
        {level !== null && (
          <span className="tabular-nums">
            {level} / {outOf}
          </span>
        )}
        <span className={level === null ? 'text-muted' : 'font-medium'}>{text}</span>
      </dd>
      {description !== '' && (
        <dd className="w-full text-sm text-muted">
          <Prose text={description} label={`${label} description`} />
        </dd>
      )}
    </div>
  );
}

/** Confidentiality out of 5, integrity and availability out of 4, with their texts (spec 2, Asset detail). */
export function SecurityProfile({ detail }: { detail: AssetDetail }) {
  const descriptions = {
    confidentialityLevel: detail.confidentialityDescription,
    integrityLevel: detail.integrityDescription,
    availabilityLevel: detail.availabilityDescription,
  } as const;
  return (
    <Card title="Security profile">
      <dl className="divide-y">
        {protectionsOf(detail).map((protection) => (
          <Goal key={protection.name} protection={protection} description={descriptions[protection.name]} />
        ))}
      </dl>
    </Card>
  );
}
