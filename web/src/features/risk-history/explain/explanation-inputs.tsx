import { lazily } from '@riskboard/domain';
import { formatNumber } from '../../../lib/format/format.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { SmallTable } from '../../../ui/table/small-table.tsx';
import type { Explanation } from '../queries.ts';
import { metricTitles, valueText } from './metric-values.ts';

type Input = Explanation['inputs'][number];

const signed = lazily(
  () => new Intl.NumberFormat('en-US', { signDisplay: 'exceptZero', maximumFractionDigits: 2 }),
);

/** '+12', '−7', with the minus sign of the page. */
const signedText = (value: number): string => signed().format(value).replace('-', '−');

const plainColumns = [{ label: 'Input' }, { label: 'Value', align: 'right' }] as const;
const addedColumns = [...plainColumns, { label: 'Adds', align: 'right' }] as const;
const weighedColumns = [
  ...plainColumns,
  { label: 'Each adds', align: 'right' },
  { label: 'Adds', align: 'right' },
] as const;

/** Differences below this are due to binary fractions. */
const exact = 1e-6;

/**
 * The inputs of a number. Where the formula weighs them, the column 'Adds' sums up to the number; a difference is a line
 * of its own, so that nothing is hidden.
 */
export function ExplanationInputs({ explanation: { metric, value, inputs } }: { explanation: Explanation }) {
  const isSum = inputs.some(({ adds }) => adds !== undefined);
  const isWeighed = inputs.some(({ weight }) => weight !== undefined);
  const sum = inputs.reduce((total, { adds = 0 }) => total + adds, 0);
  const missing = isSum && typeof value === 'number' ? value - sum : 0;
  const columns = isWeighed ? weighedColumns : isSum ? addedColumns : plainColumns;
  return (
    <SmallTable label="Inputs" columns={columns}>
      <tbody>
        {inputs.map((input) => (
          <tr key={input.name} className="border-t align-top">
            <Name {...input} />
            <td className={numberStyle}>{isCorrection(input) ? '' : formatNumber(input.value)}</td>
            {isWeighed && (
              <td className={numberStyle}>{input.weight === undefined ? '' : formatNumber(input.weight)}</td>
            )}
            {isSum && (
              <td className={numberStyle}>{input.adds === undefined ? '' : signedText(input.adds)}</td>
            )}
          </tr>
        ))}
        {Math.abs(missing) > exact && (
          <tr className="border-t align-top">
            <th scope="row" colSpan={columns.length - 1} className={nameStyle}>
              Not explained
            </th>
            <td className={numberStyle}>{signedText(missing)}</td>
          </tr>
        )}
      </tbody>
      {isSum && (
        <tfoot>
          <tr className="border-t font-medium">
            <th scope="row" colSpan={columns.length - 1} className="py-1.5 pr-3 text-left font-medium">
              {metricTitles[metric]}
            </th>
            <td className={numberStyle}>
              {typeof value === 'number' ? formatNumber(value) : valueText(metric, value)}
            </td>
          </tr>
        </tfoot>
      )}
    </SmallTable>
  );
}

const nameStyle = 'py-1.5 pr-3 text-left font-normal break-words';
const numberStyle = 'py-1.5 pr-3 text-right tabular-nums last:pr-0';

/** Rounding and cap are lines of the sum and count nothing. */
const isCorrection = ({ weight, adds, query }: Input): boolean =>
  adds !== undefined && weight === undefined && query === null;

/** The input; a link to its records, where it counts some. */
function Name({ name, query }: Input) {
  return (
    <th scope="row" className={nameStyle}>
      {query === null ? name : <PathLink path={query}>{name}</PathLink>}
    </th>
  );
}
