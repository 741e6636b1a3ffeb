import { notAvailable, type Fields, type RecordSource, sourceTextMax } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ImportableRecord } from '../../lib/entity/entity.ts';
import { fieldText } from '../../lib/entity/field-text.ts';
import { Badge, type BadgeTone } from '../badge/badge.tsx';
import { ButtonWithReason } from '../button/button-with-reason.tsx';
import { CopyButton } from '../button/copy-button.tsx';
import { linkStyle } from '../button/link-style.ts';
import { Empty } from '../text/empty.tsx';
import { Time } from '../text/time.tsx';
import { useImportableRecord } from './facts.tsx';
import { Prose } from './prose.tsx';

const states = {
  active: { label: 'Active', tone: 'info' },
  revoked: { label: 'Revoked', tone: 'warning' },
  deprecated: { label: 'Deprecated', tone: 'warning' },
} as const satisfies Record<RecordSource['state'], { label: string; tone: BadgeTone }>;

interface SourcePanelProps {
  source: RecordSource;
  /** Reverts a field; absent when the record has the values of another report. */
  onRevert?: ((name: string) => void) | undefined;
  busy: boolean;
  /** Why the user may not revert. */
  refusal: string | undefined;
}

/** One object of a report that states the record: where in the file, and what it says. The one in use starts open. */
export function SourcePanel(props: SourcePanelProps) {
  const { fileId, file, uploadedAt, location, type, stixId, modified, state, current, fills } = props.source;
  const { label, tone } = states[state];
  return (
    <details open={current} className="group border-b last:border-b-0">
      <summary className="flex min-h-11 cursor-pointer list-none items-start gap-x-3 px-4 py-3 -outline-offset-2 hover:bg-hover">
        <ChevronRight
          aria-hidden
          size={16}
          className="mt-0.5 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 font-medium break-all">{file}</span>
          <Badge tone={tone}>{label}</Badge>
          {current && <Badge>In use</Badge>}
          {fills.length > 0 && <Badge>Fills {plural(fills.length, 'field')}</Badge>}
        </span>
      </summary>
      <dl className="grid gap-x-6 gap-y-2 px-4 pt-1 pb-3 text-sm sm:grid-cols-2 sm:pl-11">
        <Line label="File">
          <Link to="/dashboard/reports/$fileId" params={{ fileId }} className={linkStyle}>
            Import report of this file
          </Link>
        </Line>
        <Line label="Uploaded">
          <Time value={uploadedAt} form="absolute" />
        </Line>
        <Line label="Location in the file">
          <code className="font-mono break-all">{location}</code>
        </Line>
        <Line label="Modified in the report">
          <Time value={modified} form="utc" />
        </Line>
        <Line label="Object type">
          <code className="font-mono break-all">{type}</code>
        </Line>
        <Line label="STIX id">
          {stixId === null ? (
            <Empty />
          ) : (
            <span className="flex flex-wrap items-center gap-2">
              <code className="font-mono break-all">{stixId}</code>
              <CopyButton text={stixId} label="Copy STIX id" size="sm" variant="ghost" />
            </span>
          )}
        </Line>
      </dl>
      <SourceTable {...props} />
    </details>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
);

interface Comparison {
  name: string;
  label: string;
  /** The value of the record, and that of the report. */
  own: string;
  reported: string;
  edited: boolean;
}

/** The report's fields beside the record's; fields that are empty on both sides are left out. */
function compare(fields: Fields, record: ImportableRecord, source: RecordSource): Comparison[] {
  const own = record as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(fields)
    .filter(([name]) => name in source.fields)
    .map(([name, field]) => ({
      name,
      label: field.label,
      own: fieldText(field, own[name]),
      reported: fieldText(field, source.fields[name]),
      edited: record.editedFields.includes(name),
    }))
    .filter((row) => row.edited || row.own !== notAvailable || row.reported !== notAvailable);
}

/** The text of a report is shortened where the record has the whole text. */
const isSame = (own: string, reported: string): boolean =>
  own === reported ||
  (own.length > sourceTextMax &&
    reported.length > sourceTextMax &&
    reported.endsWith('…') &&
    own.startsWith(reported.slice(0, -1)));

const cell = 'border-b px-3 py-2 text-left align-top first:pl-4 last:pr-4';
const head = `${cell} bg-sunken text-xs font-medium whitespace-nowrap text-muted`;

function SourceTable({ source, onRevert, busy, refusal }: SourcePanelProps) {
  const { entity, record } = useImportableRecord();
  return (
    <div className="border-t">
      <table
        aria-label={`Fields in ${source.file} at ${source.location}`}
        className="w-full table-fixed border-separate border-spacing-0 text-sm"
      >
        <thead>
          <tr>
            <th scope="col" className={`${head} w-28 sm:w-40`}>
              Field
            </th>
            <th scope="col" className={head}>
              This record
            </th>
            <th scope="col" className={head}>
              This report
            </th>
          </tr>
        </thead>
        <tbody>
          {compare(entity.fields, record, source).map(({ name, label, own, reported, edited }) => (
            <tr key={name} className={edited ? 'bg-accent-soft/50' : ''}>
              <th scope="row" className={`${cell} font-medium`}>
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {label}
                  {edited && <Badge tone="info">Edited</Badge>}
                </span>
              </th>
              <td className={cell}>
                <Value text={own} label={`${label} of this record`} />
              </td>
              <td className={cell}>
                <div className="flex flex-wrap items-start justify-between gap-2">
                  {isSame(own, reported) ? (
                    <span className="text-muted">Same</span>
                  ) : (
                    <Value text={reported} label={`${label} in this report`} />
                  )}
                  {edited && onRevert !== undefined && (
                    <ButtonWithReason
                      size="sm"
                      aria-label={`Revert ${label}`}
                      icon={<Undo2 aria-hidden size={14} />}
                      busy={busy}
                      disabledReason={refusal}
                      onClick={() => onRevert(name)}
                    >
                      Revert
                    </ButtonWithReason>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Value = ({ text, label }: { text: string; label: string }) => (
  <Prose text={text === notAvailable ? '' : text} label={label} />
);
