import { vulnerabilities, type CwssExplanation, type VulnerabilityDetail } from '@riskboard/contract';
import { cwssOrder, plural, type CwssFactor } from '@riskboard/domain';
import { useRefusal } from '../../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../../ui/button/button-with-reason.tsx';
import { LinkButton } from '../../../../ui/button/link-button.tsx';
import { factorLabel, openFactors } from './factor-text.ts';
import { missingField } from './missing-field.ts';

interface CompletenessProps {
  explanation: CwssExplanation;
  detail: VulnerabilityDetail;
  /** Opens the editor at a factor. */
  onSet: (factor: CwssFactor) => void;
  /** Why factors cannot be set. */
  refusal: string | undefined;
}

/** How many factors have a value, and what to do about each of the others. */
export function Completeness({ explanation, detail, onSet, refusal }: CompletenessProps) {
  const { completeness } = explanation;
  const open = openFactors(explanation).map(({ code }) => code);
  const assumed = explanation.factors.filter(
    ({ code, source }) => source === 'default' && !open.includes(code),
  );
  const steps = Map.groupBy(open, (factor) => missingField(factor, detail));
  const bySetting = steps.get(undefined) ?? [];
  const missing = [...steps].filter((step): step is [string, CwssFactor[]] => step[0] !== undefined);
  const editRefusal = useRefusal(vulnerabilities.update.access);
  return (
    <div className="flex flex-col gap-3 border-t p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-sm">
          <span className="font-medium">
            {completeness.known} of 16 factors have a value
            {assumed.length > 0 && `, ${assumed.length} of them assumed`}.
          </span>{' '}
          <span className="text-muted">
            {open.length === 0
              ? 'The score is complete.'
              : `${completeness.default} default, ${completeness.unknown} unknown: the score is incomplete.`}
          </span>
        </p>
        <Pips open={new Set(open)} />
      </div>
      {open.length > 0 && (
        <ul aria-label="What would complete the score" className="flex flex-col gap-2 text-sm print:hidden">
          {missing.map(([label, factors]) => (
            <li key={label} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <LinkButton
                size="sm"
                to="/dashboard/vulnerabilities/$id/edit"
                params={{ id: detail._id }}
                disabledReason={editRefusal}
              >
                {label}
              </LinkButton>
              <span className="text-muted">for {factors.map(factorLabel).join(', ')}</span>
            </li>
          ))}
          {bySetting.length > 0 && (
            <li className="flex flex-wrap items-center gap-2">
              <span className="text-muted">Set the {bySetting.length === 1 ? 'factor' : 'factors'}</span>
              {bySetting.map((factor) => (
                <ButtonWithReason
                  key={factor}
                  size="sm"
                  disabledReason={refusal}
                  onClick={() => onSet(factor)}
                >
                  {factorLabel(factor)}
                </ButtonWithReason>
              ))}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** One mark per factor, in the order of the standard; those of known factors are filled. */
function Pips({ open }: { open: ReadonlySet<CwssFactor> }) {
  return (
    <span aria-hidden className="flex gap-1" title={`${plural(open.size, 'factor')} not known`}>
      {cwssOrder.map((factor) => (
        <span
          key={factor}
          className={`h-2.5 w-1.5 rounded-full ${open.has(factor) ? 'border border-line-strong' : 'bg-accent'}`}
        />
      ))}
    </span>
  );
}
