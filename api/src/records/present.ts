import { type Entity, listTextMax } from '@riskboard/contract';
import { asSent, type Values } from '../lib/columns.ts';
import type { EntityRules, FullEntity } from './entity-rules.ts';

const valuesOf = ({ fields }: Entity, row: Values, detail: boolean): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.column !== null && (field.list || (detail && field.detail))
        ? [[name, asSent(row[field.column])]]
        : [],
    ),
  );

/** A row of the list's source as the list shows it: the contract derives the schema from the same fields. */
export const presentRow = <Full extends FullEntity>(
  { entity, derivedFields }: EntityRules<Full>,
  row: Values,
): Values => ({
  _id: row['id'],
  version: row['version'],
  ...valuesOf(entity, row, false),
  ...derivedFields?.(row),
});

/** A record with all its fields, who created and who changed it. */
export function presentDetail<Full extends FullEntity>(
  { entity, derivedFields, detailParts }: EntityRules<Full>,
  full: Full,
): Values & { version: number } {
  const { row, relatedAssets, relatedAssetTotal, updatedBy } = full;
  return {
    _id: row.id,
    ...valuesOf(entity, row, true),
    ...derivedFields?.(row),
    ...(relatedAssets && { relatedAssets, relatedAssetTotal }),
    ...detailParts?.(full),
    createdBy: row['created_by'] ?? null,
    updatedBy,
    version: row.version,
  };
}

/** The beginning of a long text, in characters as PostgreSQL counts them (`shortenedText`). */
function beginningOf(text: string): string {
  if (text.length <= listTextMax) return text;
  const characters = Array.from(text);
  return characters.length <= listTextMax ? text : `${characters.slice(0, listTextMax).join('')}…`;
}

/** The texts of a record that lists shorten, as a list shows them. */
export const listedTexts = ({ fields }: Entity, shown: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { list, type }]) => {
      const text = shown[name];
      return list && type === 'prose' && typeof text === 'string' ? [[name, beginningOf(text)]] : [];
    }),
  );
