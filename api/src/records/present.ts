import type { Entity } from '@riskboard/contract';
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
