import type { CwssExplanation } from '@riskboard/contract';
import { cwssGroups, cwssProduct, type CwssGroup } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { Calculator } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { CopyButton } from '../../../../ui/button/copy-button.tsx';
import { LinkButton } from '../../../../ui/button/link-button.tsx';
import { linkStyle } from '../../../../ui/button/link-style.ts';
import { Time } from '../../../../ui/text/time.tsx';
import { choicesOf, scoreText } from './factor-text.ts';

/** Largest values of the sub-scores. */
const largest = { base: 100, attackSurface: 1, environmental: 1 } as const satisfies Record<
  CwssGroup,
  number
>;
const groups = Object.keys(cwssGroups) as CwssGroup[];

/** The score with its origin, the product that it is, and its vector. */
export function ScoreSummary({ explanation }: { explanation: CwssExplanation }) {
  const { score, vector } = explanation;
  return (
    <div className="@container flex flex-col gap-5 p-4">
      <div className="grid gap-x-10 gap-y-5 @xl:grid-cols-[auto_minmax(0,1fr)]">
        <div className="flex flex-col gap-1">
          <output aria-label="CWSS score" className="flex items-baseline gap-1.5 tabular-nums">
            <span className="text-3xl font-semibold tracking-tight">{scoreText(score)}</span>
            <span className="text-lg text-muted">/100</span>
          </output>
          <Origin explanation={explanation} />
        </div>
        <SubScores explanation={explanation} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 grow basis-72 rounded bg-sunken px-2.5 py-1.5 font-mono text-xs break-words">
          {vector.split('/').map((part, index) => (
            // A vector names each factor once.
            <Fragment key={part}>
              {index > 0 && '/'}
              {index > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
        </code>
        <span className="flex flex-wrap gap-2 print:hidden">
          <CopyButton size="sm" text={vector} label="Copy CWSS vector" />
          <LinkButton
            size="sm"
            to="/dashboard/cwss"
            search={{ vector }}
            icon={<Calculator aria-hidden size={14} />}
          >
            Open in calculator
          </LinkButton>
        </span>
      </div>
    </div>
  );
}

/** Which vignette, who, when, and with which versions of catalogue and formula. */
function Origin({ explanation }: { explanation: CwssExplanation }) {
  const { vignetteId, vignetteName, vignetteVersion, calculatedAt, calculatedBy, cause } = explanation;
  const { catalogueVersion, formulaVersion, vignetteExists } = explanation;
  return (
    <div className="flex max-w-72 flex-col gap-0.5 text-sm text-muted">
      <p className="text-base text-text">
        {vignetteExists ? (
          <Link
            to="/dashboard/reports/vignettes/$id"
            params={{ id: vignetteId }}
            search={{ version: vignetteVersion }}
            className={`${linkStyle} font-medium break-words`}
          >
            {vignetteName}
          </Link>
        ) : (
          <span className="font-medium break-words">{vignetteName}</span>
        )}
        , version {vignetteVersion}
      </p>
      <p>
        Calculated <Time value={calculatedAt} />
        {cause === 'automatic' || calculatedBy === '' ? ' automatically' : ` by ${calculatedBy}`}
      </p>
      <p>
        {formulaVersion}; {catalogueVersion}
      </p>
    </div>
  );
}

const symbols = { base: '', attackSurface: '×', environmental: '×' } as const satisfies Record<
  CwssGroup,
  string
>;

/** The three sub-scores, whose product is the score. */
function SubScores({ explanation }: { explanation: CwssExplanation }) {
  const product = cwssProduct(choicesOf(explanation.factors));
  return (
    <dl aria-label="Sub-scores" className="flex flex-col justify-center gap-2.5">
      {groups.map((group) => (
        <SubScore
          key={group}
          symbol={symbols[group]}
          label={cwssGroups[group]}
          value={product[group]}
          most={largest[group]}
          part={explanation[group] / largest[group]}
        />
      ))}
      <div className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-2 border-t pt-2 text-sm">
        <span aria-hidden className="text-muted">
          =
        </span>
        <dt className="text-muted">Score before rounding</dt>
        <dd className="tabular-nums">{product.raw}</dd>
      </div>
    </dl>
  );
}

interface SubScoreProps {
  symbol: string;
  label: string;
  value: string;
  most: number;
  /** 0 to 1. */
  part: number;
}

function SubScore({ symbol, label, value, most, part }: SubScoreProps): ReactNode {
  return (
    <div className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-2 text-sm">
      <span aria-hidden className="text-muted">
        {symbol}
      </span>
      <dt>{label}</dt>
      <dd className="tabular-nums">
        <span className="font-medium">{value}</span> <span className="text-muted">of {most}</span>
      </dd>
      <dd
        aria-hidden
        className="col-span-2 col-start-2 mt-1 h-1 forced-color-adjust-none rounded-full bg-line"
      >
        <span className="block h-1 rounded-full bg-accent" style={{ width: `${part * 100}%` }} />
      </dd>
    </div>
  );
}
