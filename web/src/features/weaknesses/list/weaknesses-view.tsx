import { mostCarried, type WeaknessSummary } from '@riskboard/contract';
import { formatTotal } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { linkStyle } from '../../../ui/button/link-style.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { Maybe } from '../../../ui/text/empty.tsx';
import { weaknessesSource } from './weaknesses-source.ts';

const kinds = { weakness: 'Weakness', category: 'Category', view: 'View' } as const;

const tones: Readonly<Record<string, BadgeTone>> = { High: 'high', Medium: 'medium', Low: 'low' };

function Name({ entry: { ID, name, status } }: { entry: WeaknessSummary }) {
  return (
    <Link
      to="/dashboard/weaknesses/$id"
      params={{ id: ID }}
      className={`line-clamp-2 font-medium whitespace-normal hover:text-accent-text hover:underline ${status === 'Deprecated' ? 'text-muted' : ''}`}
    >
      <span className="tabular-nums">CWE-{ID}</span> <span className="font-normal">{name}</span>
    </Link>
  );
}

function Carried({ entry: { ID, vulnerabilities: count } }: { entry: WeaknessSummary }) {
  if (count === 0) return <span className="text-muted">0</span>;
  const shown = formatTotal(count, count >= mostCarried);
  return (
    <Link
      to="/dashboard/vulnerabilities"
      search={{ cwe: [`CWE-${ID}`] }}
      aria-label={`${shown} ${count === 1 ? 'vulnerability' : 'vulnerabilities'} with CWE-${ID}`}
      className={linkStyle}
    >
      {shown}
    </Link>
  );
}

/** Columns and filters of the list of weaknesses. */
export const weaknessesView = defineListView(weaknessesSource, {
  label: 'Weaknesses',
  nouns: { one: 'entry', many: 'entries' },
  row: { id: (entry) => entry.ID, name: (entry) => `CWE-${entry.ID} ${entry.name}` },
  columns: [
    {
      field: 'name',
      label: 'Weakness',
      rowHeader: true,
      alsoShows: ['number'],
      cell: (entry) => <Name entry={entry} />,
    },
    { field: 'kind', from: 'md', width: 112, narrowWidth: 96, cell: ({ kind }) => kinds[kind] },
    { field: 'abstraction', from: 'md', width: 128, cell: ({ abstraction }) => <Maybe text={abstraction} /> },
    {
      field: 'status',
      from: 'md',
      width: 128,
      narrowWidth: 104,
      cell: ({ status }) => <Maybe text={status} />,
    },
    {
      field: 'likelihood',
      from: 'sm',
      width: 176,
      cell: ({ likelihood }) =>
        likelihood === '' ? (
          <Maybe text="" />
        ) : (
          <Badge tone={tones[likelihood] ?? 'neutral'}>{likelihood}</Badge>
        ),
    },
    { field: 'vulnerabilities', width: 136, cell: (entry) => <Carried entry={entry} /> },
    { field: 'number', hidden: true, cell: ({ ID }) => <span className="tabular-nums">{ID}</span> },
  ],
  filters: ['kind', 'abstraction', 'status', 'likelihood', 'vulnerabilities'],
  texts: {
    search: 'Search weaknesses',
    empty: 'No weaknesses found.',
    failure: 'Failed to load weaknesses.',
  },
});
