import { editableColumns, type Entity, type Field } from '@riskboard/contract';
import {
  lockAssets,
  type ListSource,
  type RecordTableName,
  relatedAssetsField,
  reportedRow,
  setAssets,
} from '@riskboard/db';
import { differs, isBlank, type Values } from '../lib/columns.ts';
import { findRecord, lockRecord, requireAssets } from './find.ts';
import {
  type Change,
  type Changed,
  type FullRecord,
  type RecordContext,
  type RecordRow,
  type RecordRules,
  withCompanions,
} from './entity-rules.ts';

/** How vulnerabilities and threats differ. */
type Special = Pick<
  RecordRules,
  'derivedColumns' | 'derivedFields' | 'exportedValues' | 'followingColumns' | 'together'
> & {
  entity: Entity & { table: RecordTableName };
  source: ListSource;
  /** @throws Failure 422 */
  check?(change: Change<FullRecord>): void;
};

/** The rules of an entity whose records reports can bring. */
export function recordRules<S extends Special>({ check, ...special }: S): Omit<S, 'check'> & RecordRules {
  const { table } = special.entity;
  const rules: Omit<S, 'check'> & RecordRules = {
    ...special,
    table,

    // An edit of the relations locks the assets before the record.
    async lock(trx, { id, body }) {
      if (body['relatedAssets'] !== undefined) await lockAssets(trx);
      if (id !== undefined) await lockRecord(trx, table, id);
    },
    find: (trx, id) => findRecord(trx, table, id),
    async check(trx, change) {
      check?.(change);
      await requireAssets(trx, change.body['relatedAssets'] as string[] | undefined);
    },
    relate: (trx, id, assets) => setAssets(trx, { table, id, assets }),

    // Records of reports keep the names of the fields that a user changed: extractions leave those alone.
    async updateColumns(trx, { row }, change) {
      if (row.key === null) return {};
      const changed = withCompanions(rules, Object.keys(change.columns));
      const names = change.related === undefined ? changed : [...changed, relatedAssetsField];
      const { columns, restored } = await restoredBy({ trx, rules }, row, { ...change, names });
      const edited = [...new Set([...row.edited_fields, ...names])];
      return { ...columns, edited_fields: edited.filter((name) => !restored.has(name)) };
    },

    detailParts: ({ row, imported }) => ({
      details: row['details'],
      editedFields: fieldsOfColumns(rules, row.edited_fields),
      imported,
    }),
  };
  return rules;
}

/** Whether a column has the value that it has in a new record. */
function isInitial({ entity }: RecordRules, column: string, value: unknown): boolean {
  const field = Object.values<Field>(entity.fields).find((one) => one.column === column);
  return field !== undefined && 'default' in field ? value === field.default : isBlank(value);
}

/**
 * Fields of a change that have then what they have without an edit: the value of the reports, of the columns that they follow,
 * or the initial value of a field that no report fills. They do not count as edited, also when they did, as after Undo; fields
 * of a record that no report asserts stay edited.
 * @returns their columns, and the values of those that a user cannot set
 */
async function restoredBy(
  { trx, rules }: RecordContext,
  row: RecordRow,
  { names, columns, related }: Changed & { names: readonly string[] },
): Promise<{ columns: Values; restored: Set<string> }> {
  const isEdited = (name: string): boolean => row.edited_fields.includes(name);
  const reported = names.some(isEdited) ? await reportedRow(trx, rules.table, row.id) : undefined;
  const now: Values = { ...row, ...columns };
  const following = rules.followingColumns?.(now, reported ?? row) ?? {};
  const unedited: Values = { ...reported, ...following };
  const editable = new Set(Object.values(editableColumns(rules.entity.fields)));
  // A level that was derived from other fields is one again only when it is derived from them now.
  const follows = (column: string): boolean =>
    column in unedited && !editable.has(column) && unedited[column] !== 'derived';
  const isRestored = (column: string): boolean => {
    if (column === relatedAssetsField) return related?.length === 0;
    if (!(column in unedited)) return isInitial(rules, column, now[column]);
    return follows(column) || !differs(now[column], unedited[column]);
  };
  // A field that follows the changed ones, and was set back before them.
  const others = Object.keys(following).filter(
    (name) => isEdited(name) && reported !== undefined && !differs(now[name], reported[name]),
  );
  const restored = [...new Set([...names, ...others])]
    .filter((name) => (isEdited(name) ? reported !== undefined : name in following))
    .filter((name) => withCompanions(rules, [name]).every(isRestored));
  return {
    columns: Object.fromEntries(restored.filter(follows).map((column) => [column, unedited[column]])),
    restored: new Set(restored),
  };
}

/** Columns as the fields that users see; columns that are not an editable field are omitted. */
export function fieldsOfColumns({ entity }: RecordRules, columns: readonly string[]): string[] {
  const names = new Map(
    Object.entries(editableColumns(entity.fields)).map(([field, column]) => [column, field]),
  );
  return columns.flatMap((column) => names.get(column) ?? []);
}
