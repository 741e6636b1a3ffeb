import { importLimits, type CsvImport, type ImportPlan, type ImportPreviewRow } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Equal, Pencil, Plus } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { previewQuery } from '../queries.ts';
import { fieldLabel } from './plan.ts';

interface PreviewProps {
  csv: CsvImport;
  plan: ImportPlan;
  /** Why there is no preview for these choices. */
  refusal: string | undefined;
}

/** The first rows of the file as they would be imported, with each problem at its cell. */
export function Preview({ csv, plan, refusal }: PreviewProps) {
  const query = useQuery({ ...previewQuery(csv._id, plan), enabled: refusal === undefined });
  // A file that begins with very long or blank rows shows fewer.
  const shown = query.data?.length ?? Math.min(csv.rows, importLimits.preview);
  const failed = query.data?.filter(({ action }) => action === 'fail').length ?? 0;
  return (
    <Card
      title={
        <>
          Preview
          <span className="text-sm font-normal text-muted tabular-nums">
            {shown === csv.rows
              ? `all ${formatCount(shown)} rows`
              : `first ${shown} of ${formatCount(csv.rows)} rows`}
          </span>
        </>
      }
      label="Preview"
      actions={
        <output className="text-sm text-muted">
          {refusal === undefined && query.data !== undefined && shown > 0 && (
            <PreviewSummary failed={failed} />
          )}
        </output>
      }
    >
      {refusal === undefined ? (
        <PreviewBody csv={csv} plan={plan} query={query} />
      ) : (
        <p className="px-4 py-8 text-center text-sm text-muted">{refusal}</p>
      )}
    </Card>
  );
}

function PreviewSummary({ failed }: { failed: number }) {
  return failed === 0 ? (
    <span className="flex items-center gap-1.5 text-success">
      <CircleCheck aria-hidden size={14} />
      No problems
    </span>
  ) : (
    <span className="flex items-center gap-1.5 text-danger">
      <CircleAlert aria-hidden size={14} />
      {failed === 1 ? '1 row with problems' : `${failed} rows with problems`}
    </span>
  );
}

interface PreviewBodyProps {
  csv: CsvImport;
  plan: ImportPlan;
  query: {
    readonly data: readonly ImportPreviewRow[] | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly isPlaceholderData: boolean;
    refetch(): unknown;
  };
}

function PreviewBody({ csv, plan, query }: PreviewBodyProps) {
  const { data: rows, error, isFetching, isPlaceholderData } = query;
  if (error !== null && (rows === undefined || isPlaceholderData)) {
    return (
      <ErrorState
        title="Failed to load the preview."
        error={error}
        busy={isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (rows === undefined) {
    return (
      <div className="p-4">
        <Skeleton width="100%" />
      </div>
    );
  }
  return <PreviewTable csv={csv} plan={plan} rows={rows} isBusy={isPlaceholderData} />;
}

interface PreviewTableProps {
  csv: CsvImport;
  plan: ImportPlan;
  rows: readonly ImportPreviewRow[];
  /** The rows belong to the choices before. */
  isBusy: boolean;
}

const headStyle = 'h-9 border-b bg-sunken px-3 text-left text-xs font-medium whitespace-nowrap text-muted';
/** The line stays visible while the cells scroll sideways. */
const lineStyle = 'sticky left-0 z-10 w-14 min-w-14 border-r text-right tabular-nums';

/** Columns follow the rows that are shown, which belong to the choices before while new ones load. */
function PreviewTable({ csv, plan, rows, isBusy }: PreviewTableProps) {
  const mapped = plan.mapping.flatMap(({ column, field }) => (field === null ? [] : [{ column, field }]));
  const headers = new Map(csv.columns.map(({ index, header }) => [index, header]));
  return (
    <section
      aria-label="Preview of the rows"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region takes the focus (WCAG 2.1.1)
      tabIndex={0}
      // Positioned: texts for screen readers would otherwise widen the page.
      className="relative overflow-x-auto scroll-pl-16 -outline-offset-2"
    >
      <table
        aria-label="Preview of the rows"
        aria-busy={isBusy}
        className="min-w-full border-separate border-spacing-0 text-sm transition-opacity delay-150 aria-busy:opacity-60"
      >
        <thead>
          <tr>
            <th scope="col" className={`${headStyle} ${lineStyle}`}>
              Line
            </th>
            <th scope="col" className={headStyle}>
              Action
            </th>
            {mapped.map(({ column, field }) => (
              <th key={column} scope="col" className={headStyle}>
                <span className="text-text">{fieldLabel(csv.noun, field)}</span>
                {headers.get(column) !== fieldLabel(csv.noun, field) && (
                  <span className="ml-1.5 font-normal">{headers.get(column)}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PreviewRow key={row.line} row={row} columns={mapped.map(({ column }) => column)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const actions = {
  create: { label: 'Create', tone: 'success', Icon: Plus },
  update: { label: 'Update', tone: 'info', Icon: Pencil },
  unchanged: { label: 'Unchanged', tone: 'neutral', Icon: Equal },
  fail: { label: 'Fail', tone: 'danger', Icon: CircleAlert },
} as const;

function PreviewRow({ row, columns }: { row: ImportPreviewRow; columns: readonly number[] }) {
  const { label, tone, Icon } = actions[row.action];
  const cells = new Map(row.cells.map((cell) => [cell.column, cell]));
  return (
    <tr className="align-top">
      <th scope="row" className={`${lineStyle} border-b bg-surface px-3 py-2 font-normal text-muted`}>
        {row.line}
      </th>
      <td className="min-w-32 border-b px-3 py-2">
        <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
          {label}
        </Badge>
        {row.problems.map((problem) => (
          <Problem key={problem} text={problem} />
        ))}
      </td>
      {columns.map((column) => {
        const { value = '', problem } = cells.get(column) ?? {};
        return (
          <td
            key={column}
            className={`max-w-72 min-w-28 border-b px-3 py-2 ${problem === undefined ? '' : 'bg-danger-soft'}`}
          >
            {value === '' ? (
              <span className="text-muted">
                <span aria-hidden>–</span>
                <span className="sr-only">empty</span>
              </span>
            ) : (
              <span className="line-clamp-3 wrap-anywhere" title={value}>
                {value}
              </span>
            )}
            {problem !== undefined && <Problem text={problem} />}
          </td>
        );
      })}
    </tr>
  );
}

/** A problem with an icon, so that the color is not the only information. */
function Problem({ text }: { text: string }) {
  return (
    <p className="mt-1 flex min-w-40 items-start gap-1 text-xs text-danger">
      <CircleAlert aria-hidden size={12} className="mt-0.5 shrink-0" />
      <span>
        <span className="sr-only">Problem: </span>
        {text}
      </span>
    </p>
  );
}
