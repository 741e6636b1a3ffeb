import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import {
  isImportable,
  pagesOf,
  type Entity,
  type EntityRecord,
  type ImportableEntity,
  type ImportableRecord,
} from '../../lib/entity/entity.ts';
import { fieldLabel, isEmptyField } from '../../lib/entity/field-text.ts';
import { sourcesQuery } from '../../lib/entity/queries.ts';
import { Button } from '../button/button.tsx';
import { Tooltip } from '../popup/tooltip.tsx';
import { changedFields } from './use-revert.ts';

interface Shown {
  entity: Entity;
  record: EntityRecord;
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

/** The same, of an entity whose records may come from reports. @throws for other entities */
export function useImportableRecord(): { entity: ImportableEntity; record: ImportableRecord } {
  const { entity, record } = useRecord();
  if (!isImportable(entity)) throw new Error(`A ${entity.one} does not come from reports.`);
  return { entity, record: record as ImportableRecord };
}

const none: readonly string[] = [];

interface RecordProviderProps {
  entity: Entity;
  record: EntityRecord;
  children: ReactNode;
}

/** Around everything that shows a record: its fields know the record, and which of them a user changed. */
export function RecordProvider({ entity, record, children }: RecordProviderProps) {
  const imported = record as ImportableRecord;
  const { data: edited = none } = useQuery({
    ...sourcesQuery(entity as ImportableEntity, record._id),
    enabled: isImportable(entity) && imported.imported && imported.editedFields.length > 0,
    select: ({ sources }) => changedFields(imported, sources),
  });
  const shown = useMemo(() => ({ entity, record, edited }), [entity, record, edited]);
  return <RecordContext value={shown}>{children}</RecordContext>;
}

interface FactsProps {
  /** Fields of the record around it that are among the children; those without a value are hidden until requested. */
  fields?: readonly string[];
  children: ReactNode;
}

interface CollapsedFieldsProps extends Required<FactsProps> {
  /** What the button counts; facts and texts of a page differ, so that their buttons have different names. */
  one: 'empty field' | 'empty text';
}

const ShowsEmptyContext = createContext(false);

/** Whether fields without a value are shown. */
export const useShowsEmpty = (): boolean => use(ShowsEmptyContext);

/** Labels and values of a record. */
export function Facts({ fields = none, children }: FactsProps) {
  return (
    <CollapsedFields fields={fields} one="empty field">
      <dl className="flex flex-col divide-y">{children}</dl>
    </CollapsedFields>
  );
}

/** Around fields of the record: those without a value are hidden, and a button after the others shows them. */
export function CollapsedFields({ fields, one, children }: CollapsedFieldsProps) {
  const record = use(RecordContext)?.record;
  const [shown, setShown] = useState(false);
  const empty = record === undefined ? 0 : fields.filter((name) => isEmptyField(record, name)).length;
  return (
    <ShowsEmptyContext value={shown}>
      {children}
      {empty > 0 && (
        <div className="border-t px-2 py-1 first:border-t-0">
          <Button size="sm" variant="ghost" aria-expanded={shown} onClick={() => setShown(!shown)}>
            <span className="text-muted">
              {plural(empty, one)}, {shown ? 'hide' : 'show'}
            </span>
          </Button>
        </div>
      )}
    </ShowsEmptyContext>
  );
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

/** Label of a field of the record, with a mark when a user changed the field. */
export function FieldLabel({ name }: { name: string }) {
  const { entity } = useRecord();
  return (
    <>
      {fieldLabel(entity.fields, name)}
      <EditedMark name={name} />
    </>
  );
}

/** Link to the sources when a user changed the field; otherwise nothing. */
export function EditedMark({ name }: { name: string }) {
  const { entity, record, edited } = useRecord();
  if (!edited.includes(name)) return null;
  return (
    <Tooltip content="Changed manually. View the values of the reports.">
      <Link
        to={pagesOf(entity.noun).detail}
        params={{ id: record._id }}
        hash="sources"
        aria-label={`Edited: ${fieldLabel(entity.fields, name)}`}
        className="inline-flex h-5 items-center gap-1 rounded-full bg-info-soft px-2 text-xs font-medium text-info hover:underline"
      >
        <Pencil aria-hidden size={10} />
        Edited
      </Link>
    </Tooltip>
  );
}
