import type { Entity } from '@riskboard/contract';
import {
  lockAssets,
  type ListSource,
  type RecordTableName,
  relatedAssetsField,
  setAssets,
} from '@riskboard/db';
import { findRecord, lockRecord, requireAssets } from './find.ts';
import { columnsOfEntity, type RecordRules, withCompanions } from './kind.ts';

/** How vulnerabilities and threats differ. */
type Special = Pick<RecordRules, 'derivedColumns' | 'derivedFields' | 'exportedValues' | 'together'> & {
  entity: Entity & { table: RecordTableName };
  source: ListSource;
};

/** The rules of an entity whose records reports can bring. */
export function recordRules<S extends Special>(special: S): S & RecordRules {
  const { table } = special.entity;
  const rules: S & RecordRules = {
    ...special,
    table,

    // An edit of the relations locks the assets before the record.
    async lock(trx, { id, body }) {
      if (body['relatedAssets'] !== undefined) await lockAssets(trx);
      if (id !== undefined) await lockRecord(trx, table, id);
    },
    find: (trx, id) => findRecord(trx, table, id),
    check: (trx, { body }) => requireAssets(trx, body['relatedAssets'] as string[] | undefined),
    relate: (trx, id, assets) => setAssets(trx, { table, id, assets }),

    // Records of reports keep the names of the fields that a user changed: extractions leave those alone.
    updateColumns({ row }, { columns, related }) {
      if (row.key === null) return {};
      const changed = withCompanions(rules, columns);
      const names = related ? [...changed, relatedAssetsField] : changed;
      return { edited_fields: [...new Set([...row.edited_fields, ...names])] };
    },

    detailParts: ({ row, imported }) => ({
      details: row['details'],
      editedFields: fieldsOfColumns(rules, row.edited_fields),
      imported,
    }),
  };
  return rules;
}

/** Columns as the fields that users see; columns that are not an editable field are omitted. */
export function fieldsOfColumns({ entity }: RecordRules, columns: readonly string[]): string[] {
  const names = new Map(Object.entries(columnsOfEntity(entity)).map(([field, column]) => [column, field]));
  return columns.flatMap((column) => names.get(column) ?? []);
}
