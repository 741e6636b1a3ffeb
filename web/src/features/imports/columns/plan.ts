import {
  importableFields,
  importKeys,
  type CsvImport,
  type ImportNoun,
  type ImportPlan,
} from '@riskboard/contract';
import { noProject, type ImportSearch } from '../import-search.ts';

/** The choices of the page: the field of each column, the key, and the project of rows without one. */
export interface Choices {
  /** By position of the column; null: the column is not imported. */
  readonly fields: readonly (string | null)[];
  readonly key: string;
  readonly projectId: string | null;
}

type Chosen = Pick<ImportSearch, 'map' | 'key' | 'project'>;

/** The fields of the last dry run; before it, the automatic match. */
const savedFields = ({ columns, mapping }: CsvImport): (string | null)[] =>
  columns.map(({ index, field }) =>
    mapping === null ? field : (mapping.find(({ column }) => column === index)?.field ?? null),
  );

/** Changes in a URL: `2:name,5:`, the field of column 2 and no field for column 5. */
function changesIn(text: string | undefined): Map<number, string | null> {
  const found = (text ?? '').matchAll(/(?:^|,)(\d{1,3}):(\w*)(?=,|$)/gu);
  return new Map(
    [...found].map(([, column, field]) => [Number(column), field === '' ? null : (field ?? null)]),
  );
}

/** The choices that the page shows; what the URL has in addition to the saved choices wins. */
export function choicesOf(csv: CsvImport, { map, key, project }: Chosen): Choices {
  const known = new Set(importableFields(csv.noun).map(({ field }) => field));
  const changes = changesIn(map);
  const taken = new Set<string>();
  const saved = savedFields(csv);
  const fields = csv.columns.map(({ index }, position) => {
    const field = changes.has(index) ? (changes.get(index) ?? null) : (saved[position] ?? null);
    return field !== null && known.has(field) ? field : null;
  });
  // A field is used once: a changed column wins over a matched one.
  for (const isChanged of [true, false]) {
    for (const [position, field] of fields.entries()) {
      if (field === null || changes.has(csv.columns[position]?.index ?? -1) !== isChanged) continue;
      if (taken.has(field)) fields[position] = null;
      taken.add(field);
    }
  }
  return { fields, key: keyOf(csv, fields, key), projectId: projectOf(csv, project) };
}

function keyOf(
  { noun, key: saved, columns }: CsvImport,
  fields: Choices['fields'],
  chosen: string | undefined,
): string {
  const keys: readonly string[] = importKeys[noun];
  const wanted = [chosen, saved].find((key) => key !== null && key !== undefined && keys.includes(key));
  if (wanted !== undefined && wanted !== null) return wanted;
  // A CVE identifies a vulnerability in every source, a name only in one; rows without a CVE would fail.
  if (columns[fields.indexOf('cveId')]?.filled === true) return 'cveId';
  return keys.find((key) => fields.includes(key)) ?? importKeys[noun][0];
}

function projectOf({ projectId }: CsvImport, chosen: string | undefined): string | null {
  if (chosen === noProject) return null;
  return chosen ?? projectId;
}

/** The choices with another field of a column. Unless the user has chosen a key, it follows the columns. */
export function withField(
  csv: CsvImport,
  choices: Choices,
  { position, field, isKeyChosen }: { position: number; field: string | null; isKeyChosen: boolean },
): Choices {
  const fields = choices.fields.with(position, field);
  return { ...choices, fields, key: isKeyChosen ? choices.key : keyOf(csv, fields, undefined) };
}

/** The choices in the URL, without what the import has saved. */
export function searchOf(csv: CsvImport, { fields, key, projectId }: Choices): Chosen {
  const saved = savedFields(csv);
  const map = csv.columns.flatMap(({ index }, position) =>
    fields[position] === saved[position] ? [] : [`${index}:${fields[position] ?? ''}`],
  );
  return {
    map: map.length === 0 ? undefined : map.join(','),
    key: key === keyOf(csv, fields, undefined) ? undefined : key,
    project: projectId === csv.projectId ? undefined : (projectId ?? noProject),
  };
}

/** The body of a preview, a dry run and an import. */
export const planOf = ({ columns }: CsvImport, { fields, key, projectId }: Choices): ImportPlan => ({
  mapping: columns.map(({ index }, position) => ({ column: index, field: fields[position] ?? null })),
  key,
  ...(projectId !== null && { projectId }),
});

/** How a column got its field. */
export function matchOf(
  csv: CsvImport,
  { fields }: Choices,
  position: number,
): 'automatic' | 'manual' | 'none' {
  const field = fields[position] ?? null;
  if (field === null) return 'none';
  return csv.columns[position]?.field === field ? 'automatic' : 'manual';
}

/** Label of a field; its name when it is not known. */
export const fieldLabel = (noun: ImportNoun, field: string): string =>
  importableFields(noun).find((one) => one.field === field)?.label ?? field;

/** Labels of the fields that a new record needs and that no column has. A project can also be chosen for all rows. */
export const missingFields = (noun: ImportNoun, { fields, projectId }: Choices): string[] =>
  importableFields(noun)
    .filter(
      ({ field, required, from = [] }) => required && ![field, ...from].some((one) => fields.includes(one)),
    )
    .filter(({ field }) => field !== 'projectId' || projectId === null)
    .map(({ label }) => label);

/** Why the rows cannot be read with these choices; undefined when they can. */
export function refusalOf(noun: ImportNoun, { fields, key }: Choices): string | undefined {
  if (fields.every((field) => field === null)) return 'Choose a field for at least one column.';
  if (!fields.includes(key))
    return `Choose the column of ${fieldLabel(noun, key)}: it finds existing records.`;
  return undefined;
}
