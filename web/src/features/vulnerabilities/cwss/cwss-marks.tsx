import { cwssStaleReasons, type CwssStaleReason, type Vulnerability } from '@riskboard/contract';
import { cwssFactors, isCwssFactor } from '@riskboard/domain';
import { History, UserPen } from 'lucide-react';
import { Tooltip } from '../../../ui/popup/tooltip.tsx';

export type CwssMarksProps = Pick<Vulnerability, 'cwssStale' | 'cwssOverrides'>;

const isReason = (code: string): code is CwssStaleReason => Object.hasOwn(cwssStaleReasons, code);

/** Says that a score is stale and why, and which factors analysts set. */
export function CwssMarks({ cwssStale, cwssOverrides }: CwssMarksProps) {
  const reasons = cwssStale.map((code) => (isReason(code) ? cwssStaleReasons[code] : code)).join(' ');
  const factors = cwssOverrides
    .map((code) => (isCwssFactor(code) ? cwssFactors[code].label : code))
    .join(', ');
  return (
    <>
      {cwssStale.length > 0 && (
        <Tooltip content={reasons}>
          <span className="inline-flex items-center gap-1 text-xs leading-4 font-medium text-warning">
            <History aria-hidden size={12} />
            <span className="group-data-[density=compact]/table:sr-only">Stale</span>
            <span className="sr-only">: {reasons}</span>
          </span>
        </Tooltip>
      )}
      {cwssOverrides.length > 0 && (
        <Tooltip content={`Set by analysts: ${factors}`}>
          <span className="text-muted">
            <UserPen aria-hidden size={12} />
            <span className="sr-only">Set by analysts: {factors}</span>
          </span>
        </Tooltip>
      )}
    </>
  );
}
