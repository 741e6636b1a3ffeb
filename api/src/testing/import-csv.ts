import type { CsvImport, ImportNoun, ImportPlan, ImportPreviewRow } from '@riskboard/contract';
import { form } from './form.ts';
import type { Answer, Person } from './person.ts';

/** Uploads a CSV file. */
export const uploadCsv = (
  person: Person,
  content: string | Buffer,
  { noun = 'assets', name = 'inventory.csv' }: { noun?: ImportNoun; name?: string } = {},
): Promise<Answer> =>
  person.call({
    method: 'POST',
    url: `/api/imports?noun=${noun}`,
    ...form({ name, content, field: 'csvFile' }),
  });

/** The automatic choices of an uploaded file. */
export const planOf = ({ columns }: CsvImport, key = 'name'): ImportPlan => ({
  mapping: columns.map(({ index, field }) => ({ column: index, field })),
  key,
});

/** Uploads a file and previews it with the automatic match. */
export async function previewCsv(
  person: Person,
  content: string | Buffer,
  options: { noun?: ImportNoun; key?: string } = {},
): Promise<ImportPreviewRow[]> {
  const uploaded = await uploadCsv(person, content, options);
  if (uploaded.statusCode !== 201) throw new Error(`${uploaded.statusCode}: ${uploaded.body}`);
  const found = uploaded.json<CsvImport>();
  const answer = await person.post(`/api/imports/${found._id}/preview`, planOf(found, options.key));
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json<{ rows: ImportPreviewRow[] }>().rows;
}
