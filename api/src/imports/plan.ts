import { importableFields, importKeys, type ImportPlan } from '@riskboard/contract';
import type { CsvImportRow, OrganizationTransaction } from '@riskboard/db';
import { invalidField } from '../lib/http/failure.ts';

const repeated = <T>(values: readonly T[]): T | undefined =>
  values.find((value, at) => values.indexOf(value) !== at);

/**
 * Whether the columns, the key and the project of a request fit the file.
 * @throws Failure 422 on mapping, key or projectId
 */
export async function checkPlan(
  trx: OrganizationTransaction,
  { noun, columns }: Pick<CsvImportRow, 'noun' | 'columns'>,
  { mapping, key, projectId }: ImportPlan,
): Promise<void> {
  const labels = new Map(importableFields(noun).map(({ field, label }) => [field, label]));
  const fields = mapping.flatMap(({ field }) => field ?? []);
  const unknown = fields.find((field) => !labels.has(field));
  if (unknown !== undefined) throw invalidField('mapping', `${unknown} is not a field that can be imported.`);
  const twice = repeated(fields);
  if (twice !== undefined) throw invalidField('mapping', `${labels.get(twice)} is chosen for two columns.`);
  if (repeated(mapping.map(({ column }) => column)) !== undefined)
    throw invalidField('mapping', 'A column is named twice.');
  const missing = mapping.find(({ column }) => column >= columns.length);
  if (missing) throw invalidField('mapping', `The file has no column ${missing.column + 1}.`);
  const keys: readonly string[] = importKeys[noun];
  if (!keys.includes(key)) throw invalidField('key', `Use one of ${keys.join(', ')}.`);
  if (!fields.includes(key))
    throw invalidField('key', `Choose the column of ${labels.get(key)}: it finds the existing ${noun}.`);
  if (projectId === undefined) return;
  const project = await trx.selectFrom('project').select('id').where('id', '=', projectId).executeTakeFirst();
  if (!project) throw invalidField('projectId', 'This project does not exist.');
}
