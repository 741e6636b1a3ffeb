import type { RecordSource } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Badge, type BadgeTone } from '../badge/badge.tsx';
import { CopyButton } from '../button/copy-button.tsx';
import { Empty } from '../text/empty.tsx';
import { linkStyle } from '../button/link-style.ts';
import { Time } from '../text/time.tsx';
import { SourceFields } from './source-fields.tsx';

const states = {
  active: { word: 'Active', tone: 'success' },
  revoked: { word: 'Revoked', tone: 'warning' },
  deprecated: { word: 'Deprecated', tone: 'warning' },
} as const satisfies Record<RecordSource['state'], { word: string; tone: BadgeTone }>;

/** One report that asserts a record: where in the file, and what it says. The first stands open. */
export function SourcePanel(props: ComponentProps<typeof SourceFields>) {
  const { fileId, file, uploadedAt, place, type, stixId, modified, state, current } = props.source;
  const { word, tone } = states[state];
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
          <Badge tone={tone}>{word}</Badge>
          {current && <Badge>In use</Badge>}
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
        <Line label="Place in the file">
          <code className="font-mono break-all">{place}</code>
        </Line>
        <Line label="Modified in the report">
          <Time value={modified} form="absolute" />
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
      <SourceFields {...props} />
    </details>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
);
