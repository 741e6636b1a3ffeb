import { assetEntity, type AssetScore } from '@riskboard/contract';
import { lazily, formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fieldText } from '../../../lib/entity/field-text.ts';
import { formatMean } from '../../../lib/format/format.ts';
import { RiskBadge, SeverityBadge } from '../../../ui/badge/badge.tsx';
import { StatusBadge } from '../../../ui/badge/status-badge.tsx';
import { linkStyle } from '../../../ui/button/link-style.ts';
import { Empty } from '../../../ui/text/empty.tsx';
import { SmallTable } from '../../../ui/table/small-table.tsx';

type Contribution = AssetScore['contributions'][number];

const signed = lazily(
  () => new Intl.NumberFormat('en-US', { signDisplay: 'exceptZero', maximumFractionDigits: 3 }),
);

const { fields } = assetEntity;
const levelFields = {
  confidentiality: fields.confidentialityLevel,
  integrity: fields.integrityLevel,
  availability: fields.availabilityLevel,
  criticality: fields.criticality,
} as const;

const hints = {
  rounding: 'The score has one decimal, the lines above have three.',
  cap: 'A score is at most 10.',
} as const;

/** What a line is: a link for a threat or a vulnerability. */
function What({ part, what, _id }: Contribution) {
  if (_id !== null && part === 'threat')
    return (
      <Link to="/dashboard/threats/$id" params={{ id: _id }} className={linkStyle}>
        {what}
      </Link>
    );
  if (_id !== null && part === 'vulnerability')
    return (
      <Link to="/dashboard/vulnerabilities/$id" params={{ id: _id }} className={linkStyle}>
        {what}
      </Link>
    );
  const hint = part === 'rounding' || part === 'cap' ? hints[part] : undefined;
  return (
    <>
      {what}
      {hint !== undefined && <span className="block text-xs text-muted">{hint}</span>}
    </>
  );
}

function valueOf({ part, value, status }: Contribution): ReactNode {
  if (part === 'threat') return <RiskBadge level={value} />;
  if (part === 'vulnerability')
    return (
      <span className="flex flex-wrap gap-1.5">
        <SeverityBadge score={value} />
        {status !== undefined && <StatusBadge status={status} />}
      </span>
    );
  if (part === 'rounding' || part === 'cap' || value === null)
    return part === 'rounding' || part === 'cap' ? null : <Empty />;
  if (part === 'other-threats' || part === 'other-vulnerabilities') return formatCount(value);
  return `${value} ${fieldText(levelFields[part], value)}`;
}

const columns = [{ label: 'What' }, { label: 'Value' }, { label: 'Adds', align: 'right' }] as const;

/** The lines of a score; they add up to it. */
export function ScoreContributions({ score, contributions }: Pick<AssetScore, 'score' | 'contributions'>) {
  return (
    <SmallTable label="Contributions" columns={columns}>
      <tbody>
        {contributions.map((one) => (
          <tr key={`${one.part} ${one._id ?? ''}`} className="border-t align-top">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal wrap-anywhere">
              <What {...one} />
            </th>
            <td className="py-1.5 pr-3 whitespace-nowrap">{valueOf(one)}</td>
            <td className="py-1.5 text-right tabular-nums">{signed().format(one.adds)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t font-medium">
          <th scope="row" colSpan={2} className="py-1.5 pr-3 text-left font-medium">
            Risk score
          </th>
          <td className="py-1.5 text-right tabular-nums">{formatMean(score)}</td>
        </tr>
      </tfoot>
    </SmallTable>
  );
}
