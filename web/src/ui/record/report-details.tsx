import { formatCount } from '@riskboard/domain';
import type { ReactNode } from 'react';
import { formatDay } from '../../lib/format/day.ts';
import { Badge } from '../badge/badge.tsx';
import { Card } from '../layout/card.tsx';
import { Fact, Facts } from './facts.tsx';
import { OutsideLink, Reference } from './reference.tsx';

type Details = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] =>
  [value].flat().filter((one) => one !== undefined && one !== null && one !== '');
const objectOf = (value: unknown): Details =>
  typeof value === 'object' && value !== null ? (value as Details) : {};
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const text = (value: unknown): ReactNode => listOf(value).map(textOf).join(', ');

const tags = (value: unknown): ReactNode => (
  <span className="flex flex-wrap gap-1">
    {[...new Set(listOf(value).map(textOf))].map((one) => (
      <Badge key={one}>{one}</Badge>
    ))}
  </span>
);

const day = (value: unknown): ReactNode => formatDay(textOf(value));

/** Lines of a value that are always shown; a record of ATT&CK has 30 references, which would hide what follows. */
const mostLines = 5;

function lines(value: unknown, line: (one: Details) => ReactNode): ReactNode {
  const items = listOf(value).map((one) => <li key={JSON.stringify(one)}>{line(objectOf(one))}</li>);
  const list = (shown: ReactNode) => <ul className="flex flex-col gap-1">{shown}</ul>;
  if (items.length <= mostLines + 1) return list(items);
  return (
    <>
      {list(items.slice(0, mostLines))}
      <details className="mt-1">
        <summary className="w-fit cursor-pointer rounded text-sm text-accent-text">
          {formatCount(items.length - mostLines)} more
        </summary>
        {list(items.slice(mostLines))}
      </details>
    </>
  );
}

/** '3.1 · 9.8 · CVSS:3.1/AV:N/…', and its source in the report. */
const claims = (value: unknown): ReactNode =>
  lines(value, ({ version, score, vector, source }) => (
    <>
      <span className="tabular-nums">{[version, score].map(textOf).filter(Boolean).join(' · ')}</span>{' '}
      <code className="font-mono text-sm break-all">{textOf(vector)}</code>{' '}
      <span className="text-sm text-muted">{textOf(source)}</span>
    </>
  ));

const externalIds = (value: unknown): ReactNode =>
  lines(value, ({ source, id }) => `${textOf(source)}: ${textOf(id)}`);

const references = (value: unknown): ReactNode =>
  lines(value, ({ sourceName, url, externalId, description }) => (
    <>
      {[sourceName, externalId].map(textOf).filter(Boolean).join(' ')}{' '}
      {/^https?:/iu.test(textOf(url)) ? (
        <OutsideLink href={textOf(url)}>{textOf(url)}</OutsideLink>
      ) : (
        textOf(url) !== '' && <Reference text={textOf(url)} />
      )}
      {textOf(description) !== '' && (
        <span className="line-clamp-2 text-sm text-muted">{textOf(description)}</span>
      )}
    </>
  ));

/** Details of a report that are not fields of the record, in the order of the card. */
const rows: readonly (readonly [key: string, label: string, show: (value: unknown) => ReactNode])[] = [
  ['aliases', 'Aliases', tags],
  ['objective', 'Objective', text],
  ['intent', 'Intent', text],
  ['platforms', 'Platforms', tags],
  ['tactics', 'Tactics', tags],
  ['labels', 'Labels', tags],
  ['affectedProducts', 'Affected products', tags],
  ['statusText', 'Status in the report', text],
  ['cvss', 'CVSS in the report', claims],
  ['publishedAt', 'Published', day],
  ['modifiedAt', 'Modified', day],
  ['firstSeen', 'First seen', day],
  ['lastSeen', 'Last seen', day],
  ['confidence', 'Confidence', text],
  ['tlp', 'TLP', tags],
  ['externalIds', 'Known as', externalIds],
  ['references', 'References', references],
];

/** Details of the reports that are not fields of the record; renders nothing without any. */
export function ReportDetails({ details }: { details: Details }) {
  const filled = rows.filter(([key]) => listOf(details[key]).length > 0);
  if (filled.length === 0) return null;
  return (
    <Card title="Also in the reports">
      <Facts>
        {filled.map(([key, label, show]) => (
          <Fact key={key} label={label}>
            {show(details[key])}
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}
