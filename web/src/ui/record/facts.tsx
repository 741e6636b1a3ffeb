import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { recordSourcesQuery, type RecordNoun } from '../../lib/record-queries.ts';
import { changedFields, type AnyRecord } from './use-revert.ts';
import { EditedMark } from './edited-mark.tsx';

interface Edited {
  noun: RecordNoun;
  id: string;
  /** Fields that a person changed. */
  fields: readonly string[];
}

const EditedContext = createContext<Edited | undefined>(undefined);

const none: readonly string[] = [];

interface RecordFieldsProps {
  noun: RecordNoun;
  record: AnyRecord & { readonly imported: boolean };
  children: ReactNode;
}

/** Stands around all that shows a record: fields of an imported one that a person changed are marked where they stand. */
export function RecordFields({ noun, record, children }: RecordFieldsProps) {
  const { data: fields = none } = useQuery({
    ...recordSourcesQuery(noun, record._id),
    enabled: record.imported && record.editedFields.length > 0,
    select: ({ sources }) => changedFields(record, sources),
  });
  const edited = useMemo(() => ({ noun, id: record._id, fields }), [noun, record._id, fields]);
  return <EditedContext value={edited}>{children}</EditedContext>;
}

interface FactProps {
  label: string;
  /** Field of the record; absent: nobody sets it. */
  field?: string;
  /** Below the value: what was written about it. */
  note?: string;
  children: ReactNode;
}

/** Names and values of a record. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col divide-y">{children}</dl>;
}

/** A name and its value, side by side. */
export function Fact({ label, field, note = '', children }: FactProps) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 px-4 py-2">
      <dt className="flex flex-wrap items-center gap-x-2 gap-y-1 self-start text-sm text-muted">
        <FieldName label={label} field={field} />
      </dt>
      <dd className="min-w-0">
        {children}
        {note !== '' && <p className="text-sm break-words whitespace-pre-line text-muted">{note}</p>}
      </dd>
    </div>
  );
}

interface FieldNameProps {
  label: string;
  field?: string | undefined;
}

/** Name of a field, marked when a person changed it. */
export function FieldName({ label, field }: FieldNameProps) {
  const edited = useContext(EditedContext);
  return (
    <>
      {label}
      {field !== undefined && edited?.fields.includes(field) === true && (
        <EditedMark label={label} noun={edited.noun} id={edited.id} />
      )}
    </>
  );
}
