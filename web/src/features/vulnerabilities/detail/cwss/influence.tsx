import type { CwssExplanation, CwssFactorExplanation } from '@riskboard/contract';
import { byInfluence, type CwssFactor } from '@riskboard/domain';
import { useState } from 'react';
import { ButtonWithReason } from '../../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { valueLabel } from '../../../../ui/cwss/cwss-text.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { factorLabel, scoreText } from './factor-text.ts';
import { RangeBar } from './range-bar.tsx';

interface InfluenceProps {
  explanation: CwssExplanation;
  /** Opens the editor with this value chosen. */
  onSet: (factor: CwssFactor, value: string) => void;
  /** Why factors cannot be set. */
  refusal: string | undefined;
}

/** Factors shown before the others are requested. */
const firstShown = 6;

/** The factors by how far each alone could move the score, with its best and its worst value. */
export function Influence({ explanation, onSet, refusal }: InfluenceProps) {
  const { score, factors } = explanation;
  const [all, setAll] = useState(false);
  const sorted = factors.toSorted(byInfluence(score));
  const [first] = sorted;
  return (
    <Card
      title="What would change it most"
      actions={
        <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the first ${firstShown}` : `Show all ${factors.length}`}
        </Button>
      }
    >
      <p className="border-b px-4 py-2 text-sm">
        {first !== undefined && <Sentences factor={first} present={score} />}{' '}
        <span className="text-muted">
          Bars: each factor alone, from its lowest to its highest value; the line marks the present score.
        </span>
      </p>
      <ol className="@container divide-y">
        {sorted.slice(0, all ? factors.length : firstShown).map((factor) => (
          <FactorInfluence
            key={factor.code}
            factor={factor}
            present={score}
            refusal={refusal}
            onSet={(value) => onSet(factor.code, value)}
          />
        ))}
      </ol>
    </Card>
  );
}

/** 'If External Control Effectiveness were Best-Available: 71.2 → 21.4.' */
const sentenceOf = (
  factor: CwssFactor,
  { value, score }: CwssFactorExplanation['lowest'],
  present: number,
): string =>
  `If ${factorLabel(factor)} were ${valueLabel(factor, value)}: ${scoreText(present)} → ${scoreText(score)}.`;

/** What the most influential factor would change, in a sentence for each direction in which it can. */
function Sentences({
  factor: { code, lowest, highest },
  present,
}: {
  factor: CwssFactorExplanation;
  present: number;
}) {
  return [lowest, highest]
    .filter(({ score }) => score !== present)
    .map((to) => sentenceOf(code, to, present))
    .join(' ');
}

interface FactorInfluenceProps {
  factor: CwssFactorExplanation;
  present: number;
  refusal: string | undefined;
  onSet: (value: string) => void;
}

function FactorInfluence({ factor, present, refusal, onSet }: FactorInfluenceProps) {
  const { code, value, lowest, highest } = factor;
  return (
    <li className="grid grid-cols-2 items-center gap-x-3 gap-y-1 px-4 py-2 @2xl:grid-cols-[minmax(0,15rem)_9rem_minmax(0,1fr)_9rem]">
      <p className="col-span-full min-w-0 @2xl:col-span-1">
        <span className="font-medium">{factorLabel(code)}</span>{' '}
        <span className="text-sm whitespace-nowrap text-muted @2xl:block">now {valueLabel(code, value)}</span>
      </p>
      <span className="order-2 @2xl:order-none @2xl:justify-self-end">
        <Alternative factor={code} to={lowest} present={present} refusal={refusal} onSet={onSet} />
      </span>
      <span className="order-1 col-span-full @2xl:order-none @2xl:col-span-1">
        <RangeBar lowest={lowest.score} highest={highest.score} present={present} />
      </span>
      <span className="order-3 justify-self-end @2xl:order-none @2xl:justify-self-start">
        <Alternative factor={code} to={highest} present={present} refusal={refusal} onSet={onSet} />
      </span>
    </li>
  );
}

interface AlternativeProps extends Omit<FactorInfluenceProps, 'factor'> {
  factor: CwssFactor;
  to: CwssFactorExplanation['lowest'];
}

/** One value of a factor with its score; a click sets it. */
function Alternative({ factor, to: { value, score }, present, refusal, onSet }: AlternativeProps) {
  const label = valueLabel(factor, value);
  const content = (
    <>
      <span className="max-w-24 truncate font-normal" title={label}>
        {label}
      </span>{' '}
      <span className="text-text tabular-nums">{scoreText(score)}</span>
    </>
  );
  // The factor has this value already, or another of the same weight.
  if (score === present)
    return <span className="flex h-7 items-center gap-2 px-2 text-sm text-muted">{content}</span>;
  return (
    <ButtonWithReason
      size="sm"
      variant="ghost"
      aria-label={`${label} ${scoreText(score)}. ${sentenceOf(factor, { value, score }, present)} Set it.`}
      disabledReason={refusal}
      onClick={() => onSet(value)}
    >
      {content}
    </ButtonWithReason>
  );
}
