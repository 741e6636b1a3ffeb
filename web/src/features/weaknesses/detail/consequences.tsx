import type { CweConsequence } from '@riskboard/contract';
import { technicalImpactOf } from '@riskboard/domain';
import { Card } from '../../../ui/layout/card.tsx';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { Empty, Maybe } from '../../../ui/text/empty.tsx';

interface Row {
  id: string;
  consequence: CweConsequence;
}

/** Each impact with the technical impact that it means. */
function Impacts({ impacts }: { impacts: readonly string[] }) {
  if (impacts.length === 0) return <Empty />;
  return (
    <ul className="flex flex-col gap-1.5 whitespace-normal">
      {impacts.map((impact) => {
        const mapped = technicalImpactOf(impact);
        return (
          <li key={impact}>
            {impact}
            <span className="block text-xs text-muted">
              {mapped === undefined ? 'No technical impact' : `→ ${mapped.impact}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const columns: readonly PlainColumn<Row>[] = [
  {
    label: 'Impact and technical impact',
    rowHeader: true,
    width: 240,
    cell: ({ consequence }) => <Impacts impacts={consequence.Impact} />,
  },
  {
    label: 'Scope',
    width: 136,
    cell: ({ consequence }) => (
      <span className="whitespace-normal">
        <Maybe text={consequence.Scope.join(', ')} />
      </span>
    ),
  },
  {
    label: 'Likelihood',
    width: 104,
    from: 'md',
    cell: ({ consequence }) => <Maybe text={consequence.Likelihood} />,
  },
  {
    label: 'Note',
    width: 280,
    grow: true,
    from: 'sm',
    cell: ({ consequence }) => (
      <span className="block max-w-[70ch] py-1 whitespace-normal">
        <Maybe text={consequence.Note} />
      </span>
    ),
  },
];

/** Common consequences of a weakness, and which technical impact of a vignette each of them means. */
export function Consequences({ consequences }: { consequences: readonly CweConsequence[] }) {
  if (consequences.length === 0) return null;
  const rows = consequences.map((consequence, index) => ({ id: String(index), consequence }));
  return (
    <Card title="Common consequences">
      <PlainTable
        label="Scopes and impacts"
        columns={columns}
        rowId={({ id }) => id}
        query={{ data: rows, error: null, refetch: () => undefined }}
        failure=""
        empty={null}
      />
    </Card>
  );
}
