import { formatCount } from '@riskboard/domain';
import { SmallTable } from '../../../ui/table/small-table.tsx';
import type { Changes } from '../queries.ts';
import type { CauseStep } from './cause-steps.ts';
import { effectOf, effects, measureLabels, scoreText, signedText } from './cause-texts.ts';
import { CauseName, listedText } from './cause-waterfall.tsx';

interface CauseTableProps {
  measure: Changes['measure'];
  from: { readonly label: string; readonly score: number };
  to: { readonly label: string; readonly score: number };
  steps: readonly CauseStep[];
}

const columns = [
  { label: 'Cause' },
  { label: 'Effect' },
  { label: 'Records', align: 'right' },
  { label: 'Change', align: 'right' },
  { label: 'Score', align: 'right' },
] as const;

const numberStyle = 'py-1.5 pr-3 text-right tabular-nums last:pr-0';

/** The causes of a change with the score that each one leads to. */
export function CauseTable({ measure, from, to, steps }: CauseTableProps) {
  const total = (label: string, score: number) => (
    <tr className="border-t font-medium">
      <th scope="row" colSpan={4} className="py-1.5 pr-3 text-left font-medium">
        {label}
      </th>
      <td className={numberStyle}>{scoreText(measure, score)}</td>
    </tr>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
    <section className="overflow-x-auto px-4 pb-2" tabIndex={0} aria-label="Causes: table">
      <SmallTable label={`Causes of the change: ${measureLabels[measure]}`} columns={columns}>
        <tbody>
          {total(from.label, from.score)}
          {steps.map((step) => (
            <tr key={`${step.code} ${step.label}`} className="border-t align-top">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                <CauseName step={step} />
              </th>
              <td className="py-1.5 pr-3">{effects[effectOf(step)].label}</td>
              <td className={numberStyle}>
                {step.count === 0 ? '' : `${formatCount(Math.abs(step.count))}${listedText(step)}`}
              </td>
              <td className={numberStyle}>{signedText(measure, step.delta)}</td>
              <td className={numberStyle}>{scoreText(measure, step.end)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>{total(to.label, to.score)}</tfoot>
      </SmallTable>
    </section>
  );
}
