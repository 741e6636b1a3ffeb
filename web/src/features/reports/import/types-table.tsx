import type { ImportReport, ReportWarning } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { TriangleAlert } from 'lucide-react';
import { Card } from '../../../ui/layout/card.tsx';
import { cellStyle, headCellStyle, hiddenFrom } from '../../../ui/table/table-style.ts';

const counts = [
  { field: 'total', label: 'Objects' },
  { field: 'mapped', label: 'Mapped' },
  { field: 'unmapped', label: 'Not extracted' },
  { field: 'failed', label: 'Failed' },
  { field: 'superseded', label: 'Superseded' },
] as const;

type TypeRow = ImportReport['byType'][number];

/** In a narrow table the counts leave the room to the type and its reason. */
const narrowCount = '@max-[36rem]/table:px-1.5 @max-[36rem]/table:nth-last-2:pr-4';

/** A count; zeros are muted to emphasize other numbers. */
function Count({ value }: { value: number }) {
  return <span className={value === 0 ? 'text-muted' : 'font-medium'}>{formatCount(value)}</span>;
}

/** Outcomes of the objects by type, as far as there are any; the last row holds the totals. */
export function TypesTable({ rows }: { rows: readonly TypeRow[] }) {
  const totals = counts
    .map((count) => ({ ...count, total: rows.reduce((sum, row) => sum + row[count.field], 0) }))
    .filter(({ field, total }) => field === 'total' || total > 0);
  return (
    <Card title="By object type">
      <section
        aria-label="Objects by type"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region must take the focus (WCAG 2.1.1)
        tabIndex={0}
        // It scrolls by itself, so its header does not leave room for the top bar.
        data-own=""
        className="group/table @container/table overflow-x-auto outline-offset-[-2px]"
      >
        <table aria-label="Objects by type" className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              <th scope="col" className={headCellStyle()}>
                Type
              </th>
              {totals.map(({ field, label }) => (
                <th
                  key={field}
                  scope="col"
                  className={`${headCellStyle({ align: 'right' })} ${narrowCount} @max-[36rem]/table:whitespace-normal`}
                >
                  {label}
                </th>
              ))}
              <th scope="col" className={`${headCellStyle({ from: 'sm' })} w-full`}>
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.type} className="hover:bg-hover">
                <th
                  scope="row"
                  className={`${cellStyle({ rowHeader: true })} @max-[36rem]/table:wrap-anywhere @max-[36rem]/table:whitespace-normal`}
                >
                  <code className="font-mono text-sm">{row.type}</code>
                  <span className={`block text-xs font-normal text-muted ${hiddenFrom.sm}`}>
                    {row.reason}
                  </span>
                </th>
                {totals.map(({ field }) => (
                  <td key={field} className={`${cellStyle({ align: 'right' })} ${narrowCount}`}>
                    <Count value={row[field]} />
                  </td>
                ))}
                <td className={`${cellStyle({ from: 'sm' })} min-w-60 text-sm whitespace-normal text-muted`}>
                  {row.reason}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="bg-sunken font-medium">
              <th scope="row" className={`${cellStyle()} border-b-0 text-left font-medium`}>
                All types
              </th>
              {totals.map(({ field, total }) => (
                <td key={field} className={`${cellStyle({ align: 'right' })} ${narrowCount} border-b-0`}>
                  {formatCount(total)}
                </td>
              ))}
              <td className={`${cellStyle({ from: 'sm' })} border-b-0 text-sm font-normal text-muted`}>
                {plural(rows.length, 'type')}
              </td>
            </tr>
          </tfoot>
        </table>
      </section>
    </Card>
  );
}

/** Warnings of the parse, each with its count and first location. */
export function WarningsCard({ warnings }: { warnings: readonly ReportWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Card title="Warnings">
      <ul className="divide-y">
        {warnings.map(({ code, message, location, count }) => (
          <li key={code + message} className="flex items-start gap-3 px-4 py-2.5">
            <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
            <div className="min-w-0 grow">
              <p>{message}</p>
              {location !== undefined && location !== '' && (
                <p className="text-xs text-muted">
                  First at <code className="font-mono break-all">{location}</code>
                </p>
              )}
            </div>
            <span className="shrink-0 text-sm text-muted tabular-nums">
              {formatCount(count)}
              <span aria-hidden>×</span>
              <span className="sr-only"> times</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
