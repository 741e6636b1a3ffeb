import { notAvailable, type Field, type Fields, type ListFields } from '@riskboard/contract';
import type { ReactNode } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { fieldText, isBandedScore, valueLabel } from '../../lib/entity/field-text.ts';
import { SeverityBadge } from '../badge/badge.tsx';
import type { ViewColumn } from '../list/define-list-view.ts';
import { Tooltip } from '../popup/tooltip.tsx';
import { Empty } from '../text/empty.tsx';
import { Identifier } from '../text/identifier.tsx';
import { Day, Time } from '../text/time.tsx';
import type { EditedRecord } from './inline-edit/refused-change.ts';
import { InlineEdit } from './inline-edit/inline-edit.tsx';

/** Name of the report that a row came from. */
function SourceFileCell({ file }: { file: string }) {
  if (file === '') return <Empty />;
  return (
    <Tooltip content={file} onlyWhenCut>
      <span className="block truncate">{file}</span>
    </Tooltip>
  );
}

/** A field of a row as an ordinary cell. */
function FieldCell({ name, field, value }: { name: string; field: Field; value: unknown }) {
  if (value === null || value === undefined) return <Empty />;
  if (name === 'sourceFile') return <SourceFileCell file={value as string} />;
  if (isBandedScore(field)) return <SeverityBadge score={value as number} />;
  if (name === 'cveId' || name === 'threatID') return <Identifier id={value as string} />;
  if (field.type === 'day') return <Day value={value as string} />;
  if (field.type === 'instant') return <Time value={value as string} form="day" />;
  const text = fieldText(field, value);
  return text === notAvailable ? <Empty /> : <span title={text}>{text}</span>;
}

type OptionalCell<C> = C extends { cell: infer Cell } ? Omit<C, 'cell'> & { cell?: Cell } : never;
type Column<F extends ListFields, Row> = OptionalCell<ViewColumn<F, Row>>;

/**
 * Columns of an entity's list. A column without a `cell` shows its field by type; fields that are named neither by a
 * column nor by `without` follow as hidden columns, so that a new field needs no change here. Fields with `inlineEdit`
 * are edited in their cells.
 */
export function entityColumns<F extends ListFields, Row extends EditedRecord>(
  { fields: listed, entity }: { fields: F; entity: Entity },
  {
    columns,
    without,
  }: { columns: readonly Column<F, Row>[]; without: readonly (keyof F & string)[] | 'others' },
): ViewColumn<F, Row>[] {
  const withCell = (column: Column<F, Row>) => {
    const name = 'field' in column ? column.field : '';
    const field = entity.fields[name];
    const cell = (row: Row): ReactNode =>
      field === undefined ? null : (
        <FieldCell name={name} field={field} value={(row as Record<string, unknown>)[name]} />
      );
    // Badges begin with the number: aligned at their left, the numbers are below each other.
    const align = field !== undefined && isBandedScore(field) ? { align: 'left' } : {};
    const plain = { cell, ...align, ...column } as ViewColumn<F, Row>;
    if (field?.inlineEdit === undefined) return plain;
    return {
      ...plain,
      edit: field.inlineEdit.key,
      cell: (row: Row) => (
        <InlineEdit entity={entity} record={row} name={name}>
          {plain.cell(row)}
        </InlineEdit>
      ),
    };
  };
  const named = new Set<string>([
    ...columns.map((column) => ('field' in column ? column.field : '')),
    ...(without === 'others' ? Object.keys(listed) : without),
  ]);
  const others = Object.keys(listed)
    .filter((name) => !named.has(name) && entity.fields[name]?.list === true)
    .map((field) => ({ field, hidden: true }));
  return [...columns, ...others].map(withCell);
}

/** Labels of the values of an entity's fields, by field, for filters. */
export const valueLabels = ({ fields }: { fields: Fields }) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, (value: string) => filterLabel(field, value)]),
  );

/** Label of a value that a filter takes: of the field, of its bands, or of its special filters. */
function filterLabel(field: Field, value: string): string | undefined {
  const bands = field.type === 'number' ? (field.bands ?? []) : [];
  const band = bands.find((one) => one.value === value)?.label;
  return field.filterValues?.[value] ?? band ?? valueLabel(field, value) ?? unknownLabel(field);
}

const unknownLabel = (field: Field): string | undefined =>
  field.type === 'choice' && field.open === true ? 'Unknown' : undefined;
