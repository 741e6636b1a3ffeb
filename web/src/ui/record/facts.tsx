import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { createContext, use, useMemo, type ReactNode } from 'react';
import { pagesOf, type ImportableEntity, type ImportableRecord } from '../../lib/entity/entity.ts';
import { sourcesQuery } from '../../lib/entity/queries.ts';
import { Tooltip } from '../popup/tooltip.tsx';
import { changedFields } from './use-revert.ts';

interface Shown {
  entity: ImportableEntity;
  record: ImportableRecord;
  /** Fields that a user changed after the import. */
  edited: readonly string[];
}

const RecordContext = createContext<Shown | null>(null);

/** The record of the page or panel around a component. @throws outside of a `RecordProvider` */
export function useRecord(): Shown {
  const shown = use(RecordContext);
  if (shown === null) throw new Error('A field of a record must be inside a RecordProvider.');
  return shown;
}

const none: readonly string[] = [];

interface RecordProviderProps {
  entity: ImportableEntity;
  record: ImportableRecord;
  children: ReactNode;
}

/** Around everything that shows a record: its fields know the record, and which of them a user changed. */
export function RecordProvider({ entity, record, children }: RecordProviderProps) {
  const { data: edited = none } = useQuery({
    ...sourcesQuery(entity, record._id),
    enabled: record.imported && record.editedFields.length > 0,
    select: ({ sources }) => changedFields(record, sources),
  });
  const shown = useMemo(() => ({ entity, record, edited }), [entity, record, edited]);
  return <RecordContext value={shown}>{children}</RecordContext>;
}

/** Labels and values of a record. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col divide-y">{children}</dl>;
}

interface FactProps {
  label: ReactNode;
  /** Text below the value. */
  note?: string;
  children: ReactNode;
}

/** A label and its value, side by side. */
export function Fact({ label, note = '', children }: FactProps) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 px-4 py-2">
      <dt className="flex flex-wrap items-center gap-x-2 gap-y-1 self-start text-sm text-muted">{label}</dt>
      <dd className="min-w-0">
        {children}
        {note !== '' && <p className="text-sm break-words whitespace-pre-line text-muted">{note}</p>}
      </dd>
    </div>
  );
}

/** Label of a field of the record, with a mark that leads to the sources when a user changed the field. */
export function FieldLabel({ name }: { name: string }) {
  const { entity, record, edited } = useRecord();
  const label = entity.fields[name]?.label ?? name;
  return (
    <>
      {label}
      {edited.includes(name) && (
        <Tooltip content="Changed manually. See what the reports say.">
          <Link
            to={pagesOf(entity.noun).detail}
            params={{ id: record._id }}
            hash="sources"
            aria-label={`Edited: ${label}`}
            className="inline-flex h-5 items-center gap-1 rounded-full bg-info-soft px-2 text-xs font-medium text-info hover:underline"
          >
            <Pencil aria-hidden size={10} />
            Edited
          </Link>
        </Tooltip>
      )}
    </>
  );
}
