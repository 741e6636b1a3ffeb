import { importableFields, type CsvImport, type ImportableField } from '@riskboard/contract';
import { CircleSlash, Hand, Sparkles } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { matchOf, type Choices } from './plan.ts';

interface ColumnsTableProps {
  csv: CsvImport;
  choices: Choices;
  onField: (position: number, field: string | null) => void;
  /** Why the user may not change the choices. */
  refusal: string | undefined;
}

interface ColumnRow {
  readonly position: number;
  readonly header: string;
  readonly samples: readonly string[];
}

/** Every column of the file with samples, and the field that it is imported as. */
export function ColumnsTable(props: ColumnsTableProps) {
  const rows = props.csv.columns.map(({ header, samples }, position): ColumnRow => ({
    position,
    header: header === '' ? `Column ${position + 1}` : header,
    samples,
  }));
  return (
    <PlainTable
      label="Columns of the file"
      columns={columnsOf(props, rows)}
      rowId={({ position }) => String(position)}
      query={{ data: rows, error: null, refetch: () => undefined }}
      failure="Failed to load columns."
      empty={null}
    />
  );
}

function columnsOf(
  { csv, choices, onField, refusal }: ColumnsTableProps,
  rows: readonly ColumnRow[],
): PlainColumn<ColumnRow>[] {
  const users = new Map(
    choices.fields.flatMap((field, position) =>
      field === null ? [] : [[field, rows[position]?.header ?? '']],
    ),
  );
  return [
    {
      label: 'Column in the file',
      rowHeader: true,
      cell: ({ header, samples }) => (
        <div className="flex min-w-0 flex-col py-2">
          <span className="font-medium wrap-anywhere whitespace-normal">{header}</span>
          <Samples samples={samples} />
        </div>
      ),
    },
    {
      label: 'Imported as',
      grow: true,
      cell: ({ position, header }) => (
        <FieldChoice
          label={`Field of column ${header}`}
          fields={importableFields(csv.noun)}
          value={choices.fields[position] ?? null}
          users={users}
          onChange={(field) => onField(position, field)}
          isLocked={refusal !== undefined}
        />
      ),
    },
    {
      label: 'Match',
      width: 136,
      from: 'sm',
      cell: ({ position }) => <MatchBadge match={matchOf(csv, choices, position)} />,
    },
  ];
}

function Samples({ samples }: { samples: readonly string[] }) {
  if (samples.length === 0) return <span className="text-xs text-muted italic">empty</span>;
  return (
    <span className="truncate text-xs text-muted" title={samples.join('\n')}>
      {samples.join(' · ')}
    </span>
  );
}

interface FieldChoiceProps {
  label: string;
  fields: readonly ImportableField[];
  value: string | null;
  /** The column that uses a field, by field. */
  users: ReadonlyMap<string, string>;
  onChange: (field: string | null) => void;
  isLocked: boolean;
}

/** The field of a column. A native select, because a file may have 200 of them. */
function FieldChoice({ label, fields, value, users, onChange, isLocked }: FieldChoiceProps) {
  const chosen = fields.find(({ field }) => field === value);
  const groups = [
    { label: 'Required for new records', options: fields.filter(({ required }) => required) },
    { label: 'Optional', options: fields.filter(({ required }) => !required) },
  ];
  return (
    <div className="flex flex-col gap-0.5 py-2">
      <select
        aria-label={label}
        value={value ?? ''}
        disabled={isLocked}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        className={`h-8 w-full rounded border border-line-strong bg-surface px-2 text-sm hover:bg-hover disabled:bg-hover ${value === null ? 'text-muted' : 'text-text'}`}
      >
        <option value="">Do not import</option>
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.options.map(({ field, label: name }) => {
              const user = field === value ? undefined : users.get(field);
              return (
                <option key={field} value={field} disabled={user !== undefined}>
                  {user === undefined ? name : `${name} (used by “${user}”)`}
                </option>
              );
            })}
          </optgroup>
        ))}
      </select>
      {chosen !== undefined && (
        <span className="truncate text-xs text-muted" title={chosen.accepts}>
          {chosen.accepts}
        </span>
      )}
    </div>
  );
}

const matchLooks = {
  automatic: { label: 'Automatic', tone: 'info', Icon: Sparkles },
  manual: { label: 'Chosen', tone: 'success', Icon: Hand },
  none: { label: 'Not imported', tone: 'neutral', Icon: CircleSlash },
} as const;

function MatchBadge({ match }: { match: keyof typeof matchLooks }) {
  const { label, tone, Icon } = matchLooks[match];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {label}
    </Badge>
  );
}
