import { impactLayers, technicalImpacts, type ImpactLayer } from '@riskboard/domain';
import type { ReactNode, RefObject } from 'react';
import { indexOf } from './scorecard.ts';

/** Heads of narrow columns. */
const short = {
  System: 'Sys.',
  Application: 'App.',
  Network: 'Net.',
  Enterprise: 'Ent.',
} as const satisfies Record<ImpactLayer, string>;

interface ScorecardFrameProps {
  label: string;
  /** The element that explains the keys. */
  describedBy?: string;
  table?: RefObject<HTMLTableElement | null>;
  /** The `td` of a position. */
  renderCell: (index: number) => ReactNode;
}

/** The 8 technical impacts as rows, and the 4 layers as columns. */
export function ScorecardFrame({ label, describedBy, table, renderCell }: ScorecardFrameProps) {
  return (
    <table
      ref={table}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA, grid pattern: a table may be a grid
      role="grid"
      aria-label={label}
      aria-describedby={describedBy}
      className="w-full table-fixed border-collapse text-base"
    >
      <thead>
        <tr className="text-xs text-muted">
          <th scope="col" className="w-[36%] px-3 py-2 text-left font-medium sm:px-4">
            Technical impact
          </th>
          {impactLayers.map((layer) => (
            <th key={layer} scope="col" className="border-l px-1 py-2 text-center font-medium">
              <span aria-hidden className="sm:hidden">
                {short[layer]}
              </span>
              <span className="max-sm:sr-only">{layer}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {technicalImpacts.map((impact, row) => (
          <tr key={impact} className="border-t">
            <th scope="row" className="px-3 py-2 text-left text-sm font-normal sm:px-4">
              {impact}
            </th>
            {impactLayers.map((_, column) => renderCell(indexOf(row, column)))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Style of a cell that decides in its row: a bar below the number, because the text of an input cannot be underlined. */
export const decidingStyle =
  'font-semibold after:pointer-events-none after:absolute after:bottom-1.5 after:left-1/2 after:h-0.5 after:w-4 after:-translate-x-1/2 after:rounded-full after:bg-text after:forced-color-adjust-none';

/** What the marks of a scorecard mean. */
export function ScorecardLegend({ children }: { children?: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
      <span>
        <span className="mr-1 border-b-2 border-text font-semibold text-text tabular-nums">9</span> Highest of
        its row, which decides
      </span>
      <span>
        <span className="mr-1">–</span> Not rated
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="size-1.5 rounded-full bg-accent" /> Has a note
      </span>
      {children}
    </p>
  );
}
