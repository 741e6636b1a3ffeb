import { cwss, type CwssExplanation, type VulnerabilityDetail } from '@riskboard/contract';
import { RotateCw } from 'lucide-react';
import { useCalculate } from '../../../../lib/cwss/use-calculate.ts';
import { useRefusal } from '../../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../../ui/button/button-with-reason.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';

interface StaleNoticeProps {
  detail: VulnerabilityDetail;
  explanation: CwssExplanation;
}

/** Why the newest score no longer fits, and the action that calculates it again. It appears without a reload. */
export function StaleNotice({ detail, explanation }: StaleNoticeProps) {
  const { staleReasons, vignetteId, vignetteName } = explanation;
  const refusal = useRefusal(cwss.calculate.access);
  const calculation = useCalculate();
  const vignetteIsDeleted = staleReasons.some(({ code }) => code === 'vignette-deleted');
  return (
    <output className="block border-b p-4">
      <Notice tone="warning">
        <p className="font-medium">This score is stale.</p>
        <ul className="list-inside list-disc">
          {staleReasons.map(({ code, reason }) => (
            <li key={code}>{reason}</li>
          ))}
        </ul>
        {vignetteIsDeleted ? (
          <p>Calculate it again with another vignette.</p>
        ) : (
          <span className="mt-2 block print:hidden">
            <ButtonWithReason
              size="sm"
              icon={<RotateCw aria-hidden size={14} />}
              title={`With ${vignetteName}`}
              busy={calculation.isPending}
              disabledReason={refusal}
              onClick={() => calculation.mutate({ request: { record: detail }, vignetteId })}
            >
              Recalculate
            </ButtonWithReason>
          </span>
        )}
      </Notice>
    </output>
  );
}
