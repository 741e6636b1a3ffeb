import { notAvailable, type Field } from '@riskboard/contract';
import type { ReactNode } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { fieldText, isBandedScore, isEmptyField } from '../../lib/entity/field-text.ts';
import { SeverityBadge } from '../badge/badge.tsx';
import { Empty } from '../text/empty.tsx';
import { Identifier } from '../text/identifier.tsx';
import { Day, Time } from '../text/time.tsx';
import { Card } from '../layout/card.tsx';
import { CollapsedFields, Fact, FieldLabel, useRecord, useShowsEmpty } from './facts.tsx';
import { InlineEdit } from './inline-edit/inline-edit.tsx';
import { Prose } from './prose.tsx';
import { Reference, SourceFile } from './reference.tsx';

const valueOf = (record: object, name: string): unknown => (record as Record<string, unknown>)[name];
function textOf(record: object, name: string): string {
  const value = valueOf(record, name);
  return typeof value === 'string' ? value : '';
}

/** Fields of all entities that are shown by a component instead of text. */
const common: Readonly<Record<string, (record: object) => ReactNode>> = {
  reference: (record) => <Reference text={textOf(record, 'reference')} />,
  cveId: (record) => <Identifier id={textOf(record, 'cveId')} linked />,
  threatID: (record) => <Identifier id={textOf(record, 'threatID')} linked />,
  sourceFile: (record) => <SourceFile name={textOf(record, 'sourceFile')} />,
  createdAt: (record) => <Time value={textOf(record, 'createdAt')} form="day" />,
  updatedAt: (record) => (
    <>
      <Time value={textOf(record, 'updatedAt')} form="day" />
      {textOf(record, 'updatedBy') !== '' && (
        <span className="text-muted"> by {textOf(record, 'updatedBy')}</span>
      )}
    </>
  ),
};

/** The value of an ordinary field. */
function FieldValue({ field, value }: { field: Field; value: unknown }) {
  if (field.type === 'day') return <Day value={value as string | null} />;
  if (isBandedScore(field)) return <SeverityBadge score={value as number | null} />;
  const text = fieldText(field, value);
  return text === notAvailable ? <Empty /> : <span className="break-words">{text}</span>;
}

interface FieldFactsProps<Name extends string> {
  names: readonly Name[];
  /** Values of fields that are not shown as text. */
  values?: Readonly<Partial<Record<Name, ReactNode>>>;
  /** Texts below values; absent: the text of the record's `…Description` field. */
  notes?: Readonly<Partial<Record<Name, string>>>;
}

/** Fields of the record around it that have a value: label, value, and the description of the value. */
export function FieldFacts<Name extends string>({ names, values, notes }: FieldFactsProps<Name>) {
  const { entity, record } = useRecord();
  const showsEmpty = useShowsEmpty();
  return names.map((name) => {
    const field = entity.fields[name];
    if (field === undefined || (!showsEmpty && isEmptyField(record, name))) return null;
    return (
      <Fact
        key={name}
        label={<FieldLabel name={name} />}
        note={notes?.[name] ?? textOf(record, `${name}Description`)}
      >
        <InlineEdit entity={entity} record={record} name={name}>
          {values?.[name] ?? common[name]?.(record) ?? (
            <FieldValue field={field} value={valueOf(record, name)} />
          )}
        </InlineEdit>
      </Fact>
    );
  });
}

/** Long texts of the record around it that are not empty, each below its label. */
export function FieldTexts({ names }: { names: readonly string[] }) {
  const { entity, record } = useRecord();
  const showsEmpty = useShowsEmpty();
  const shown = showsEmpty ? names : names.filter((name) => !isEmptyField(record, name));
  return (
    <div className="divide-y">
      {shown.map((name) => (
        <div key={name} className="flex flex-col gap-1 px-4 py-3">
          <h2 className="flex items-center gap-2 text-sm text-muted">
            <FieldLabel name={name} />
          </h2>
          <Prose text={textOf(record, name)} label={entity.fields[name]?.label ?? name} />
        </div>
      ))}
    </div>
  );
}

/** The same as a card of a page. */
export const FieldTextsCard = ({ names }: { names: readonly string[] }) => (
  <Card>
    <CollapsedFields fields={names} one="empty text">
      <FieldTexts names={names} />
    </CollapsedFields>
  </Card>
);

type Names<E extends Pick<Entity, 'fields'>> = readonly (keyof E['fields'] & string)[];

/** The fields that the page of a record shows, in order. */
interface PageFields<E extends Pick<Entity, 'fields'>> {
  /** Shown first, on the page and in the panel beside a list. */
  essentials: Names<E>;
  /** Facts that follow them. */
  facts: Names<E>;
  /** Long texts. */
  texts: Names<E>;
  /** Fields that the page shows elsewhere or omits. */
  elsewhere: Names<E>;
}

/**
 * Arranges the fields of an entity on its page. A field that is not named follows automatically: several lines of text
 * after the `texts`, everything else after the `facts`; descriptions are notes of their fields.
 */
export function arrangeFields<E extends Pick<Entity, 'fields'>>(
  { fields }: E,
  { essentials, facts, texts, elsewhere }: PageFields<E>,
) {
  const named = new Set<string>([...essentials, ...facts, ...texts, ...elsewhere]);
  const others = Object.entries(fields).filter(
    ([name, field]) =>
      !named.has(name) &&
      (field.list === true || field.detail === true) &&
      !(name.replace(/Description$/u, '') in fields && name.endsWith('Description')),
  );
  const isProse = ([, { type }]: (typeof others)[number]) => type === 'prose';
  const namesOf = (entries: typeof others) => entries.map(([name]) => name);
  return {
    essentials: essentials as readonly string[],
    facts: [...facts, ...namesOf(others.filter((entry) => !isProse(entry)))] as readonly string[],
    texts: [...texts, ...namesOf(others.filter(isProse))] as readonly string[],
  };
}
