import { endpoints } from './endpoint.ts';
import { assetEntity } from './entities/asset.ts';
import type { Entity, Field } from './entities/field.ts';
import { vulnerabilityEntity } from './entities/vulnerability.ts';
import { defineList } from './list.ts';
import type { importSchemas } from './schemas/imports.ts';

/** Records that a CSV file can bring. */
export const importNouns = ['assets', 'vulnerabilities'] as const;
export type ImportNoun = (typeof importNouns)[number];

/** Tables of the records, which also begin the names of events and activity actions. */
export const importTables = { assets: 'asset', vulnerabilities: 'vulnerability' } as const;

export const importStates = [
  'uploaded',
  'checking',
  'checked',
  'importing',
  'imported',
  'undoing',
  'undone',
  'failed',
] as const;

/** What became of a row, or would become of it; `kept`: an undo left its record, which someone had changed since. */
export const importActions = ['created', 'updated', 'unchanged', 'failed', 'kept'] as const;

/** Limits of a file, and how many of its rows the preview shows. */
export const importLimits = { rows: 1_000_000, columns: 200, preview: 20, samples: 3 } as const;

/** Days after its last change that an import is kept, with its file, its report and what its undo needs. */
export const importDays = 30;

/** The fields that can find an existing record: the first is used unless another is chosen. */
export const importKeys = {
  assets: ['name', 'reference'],
  vulnerabilities: ['name', 'cveId', 'reference'],
} as const satisfies Record<ImportNoun, readonly string[]>;

/** Other headers under which inventories and scanners export a field. */
const synonyms: Readonly<Record<ImportNoun, Readonly<Record<string, readonly string[]>>>> = {
  assets: {
    name: ['Asset', 'Asset name', 'Title', 'Host', 'Hostname', 'Display name'],
    description: ['Details', 'Summary', 'Notes', 'Comment'],
    assetTypeId: ['Asset type', 'Category', 'Kind', 'Class'],
    criticality: ['Asset criticality', 'Business criticality', 'Importance', 'Priority'],
    confidentialityLevel: ['Confidentiality level', 'C'],
    integrityLevel: ['Integrity level', 'I'],
    availabilityLevel: ['Availability level', 'A'],
    projectId: ['Project name', 'Project id'],
    replacementCost: ['Cost', 'Cost of replacement', 'Value', 'Asset value'],
    recoveryCost: ['Cost of recovery'],
    reference: ['Ref', 'External id', 'Asset id', 'Id', 'Asset tag', 'CMDB id', 'Reference id'],
    startDate: ['Start', 'In service since', 'Installed', 'Purchase date'],
    isActive: ['Active', 'Enabled', 'Status'],
    relatedAssets: ['Depends on', 'Dependencies', 'Related', 'Relations'],
  },
  vulnerabilities: {
    name: ['Vulnerability', 'Vulnerability name', 'Title', 'Finding', 'Plugin name'],
    description: ['Details', 'Summary', 'Synopsis', 'Notes'],
    cveId: ['CVE id', 'CVEs', 'CVE number'],
    cwe: ['CWE id', 'CWEs', 'Weakness', 'Weaknesses'],
    severity: ['Severity score', 'Risk'],
    status: ['State of remediation', 'Remediation status'],
    categoryId: ['Vulnerability category', 'Type', 'Kind'],
    cvssScore: ['CVSS score', 'CVSS base score', 'CVSS v3 score', 'Base score'],
    cvssVector: ['Vector', 'CVSS vector string', 'CVSS v3 vector'],
    remediationSteps: ['Remediation', 'Steps'],
    solution: ['Fix'],
    reference: ['Ref', 'References', 'External id', 'Vulnerability id', 'Id', 'Plugin id', 'See also'],
    discoveryDate: ['Discovered', 'First seen', 'Found', 'Date found'],
    fixDate: ['Fixed on', 'Fixed'],
    isActive: ['Active', 'Enabled'],
    relatedAssets: ['Affected assets', 'Assets', 'Asset', 'Hosts', 'Host'],
  },
};

/** A field that a CSV file can set. */
export interface ImportableField {
  field: string;
  label: string;
  /** A new record needs it. */
  required: boolean;
  /** A new record without a value gets it from one of these fields of its row. */
  from?: readonly string[];
  /** What its cells may contain, for people. */
  accepts: string;
  /** Labels of its values, where it is an enumeration. */
  values?: readonly string[];
  /** An empty cell clears it in an existing record; otherwise an empty cell leaves it as it is. */
  clearable: boolean;
  /** Headers that are matched with it, the most exact first. */
  names: readonly string[];
}

const importEntities: Readonly<Record<ImportNoun, Entity>> = {
  assets: assetEntity,
  vulnerabilities: vulnerabilityEntity,
};
/** The entity of the records that an import writes. */
export const importEntity = (noun: ImportNoun): Entity => importEntities[noun];

const rangeOf = ({ min, max, unit }: { min: number; max: number; unit?: string }): string =>
  `A number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}${unit ? ` (${unit})` : ''}`;

const labelsOf = ({ labels }: { labels: Readonly<Record<string, string>> }): string =>
  Object.values(labels).join(', ');

type FieldOf<T extends Field['type']> = Extract<Field, { type: T }>;

/** What the cells of a field may contain, by its type. */
const accepted: { readonly [T in Field['type']]: (field: FieldOf<T>) => string } = {
  text: () => 'Text',
  prose: () => 'Text',
  number: rangeOf,
  integer: rangeOf,
  scale: labelsOf,
  code: labelsOf,
  choice: labelsOf,
  flag: labelsOf,
  day: () => 'A day, YYYY-MM-DD or YYYY/MM/DD; a time after it is ignored',
  instant: () => 'A time',
  tags: () => 'Ids such as CWE-79, separated by semicolons',
  id: () => 'The name of a project',
  relations: () => 'Names of assets, separated by semicolons',
};

const acceptsOf = (field: Field): string => (accepted[field.type] as (one: Field) => string)(field);

/** Texts, numbers and relations can be empty; a state or a field that a new record needs cannot. */
const isClearable = ({ required, notNull, type }: Field): boolean =>
  required !== true && notNull !== true && type !== 'flag';

/** The severity of a new vulnerability is its CVSS score (contract, Severity), as of one from a report. */
const sources: Readonly<Record<string, readonly string[]>> = { severity: ['cvssScore', 'cvssVector'] };

const importables = new Map<ImportNoun, readonly ImportableField[]>();

/** The fields that a file can set, in the order of the template. Exports write them, imports and the page read them. */
export function importableFields(noun: ImportNoun): readonly ImportableField[] {
  const known = importables.get(noun);
  if (known) return known;
  const fields = Object.entries(importEntity(noun).fields).flatMap(([name, field]): ImportableField[] => {
    if (!field.form) return [];
    const { label, listLabel, formLabel, required = false } = field;
    const names = [name, listLabel ?? label, label, formLabel, ...(synonyms[noun][name] ?? [])];
    return [
      {
        field: name,
        label,
        required,
        ...(required && sources[name] && { from: sources[name] }),
        accepts: acceptsOf(field),
        ...('labels' in field && { values: Object.values<string>(field.labels) }),
        clearable: isClearable(field),
        names: [...new Set(names.filter((text) => text !== undefined))],
      },
    ];
  });
  importables.set(noun, fields);
  return fields;
}

interface ImportColumns {
  readonly noun: ImportNoun;
  readonly columns: readonly {
    readonly index: number;
    readonly header: string;
    readonly field: string | null;
  }[];
  readonly mapping: readonly { readonly column: number; readonly field: string | null }[] | null;
}

/** A field with the header of its column in the file, where that is another text: 'Related assets (Host)'. */
export function importColumnLabel({ noun, columns, mapping }: ImportColumns, field: string): string {
  const label = importEntity(noun).fields[field]?.label ?? field;
  const index = mapping?.find((one) => one.field === field)?.column;
  const column = columns.find((one) => (mapping === null ? one.field === field : one.index === index));
  const header = column?.header.trim() ?? '';
  return header === '' || header.toLowerCase() === label.toLowerCase() ? label : `${label} (${header})`;
}

/** The report of an import, row by row in the order of the file. */
export const importRowList = defineList(
  {
    line: { label: 'Line', kind: 'number' },
    action: { label: 'Result', kind: 'choice', values: importActions },
    name: { label: 'Name', kind: 'text' },
    field: { label: 'Column', kind: 'text' },
    problem: { label: 'Reason', kind: 'text' },
    recordId: { label: 'Record', kind: 'text', sortable: false },
  },
  'line',
);

export const imports = endpoints<typeof importSchemas>()({
  upload: {
    method: 'POST',
    path: '/api/imports',
    access: 'analyst',
    multipart: { field: 'csvFile' },
  },
  list: { method: 'GET', path: '/api/imports', access: 'viewer' },
  template: { method: 'GET', path: '/api/imports/template', access: 'viewer' },
  get: { method: 'GET', path: '/api/imports/:id', access: 'viewer' },
  preview: { method: 'POST', path: '/api/imports/:id/preview', access: 'analyst' },
  check: { method: 'POST', path: '/api/imports/:id/check', access: 'analyst' },
  start: { method: 'POST', path: '/api/imports/:id/start', access: 'analyst' },
  rows: { method: 'GET', path: '/api/imports/:id/rows', access: 'viewer' },
  rowsExport: { method: 'GET', path: '/api/imports/:id/rows/export', access: 'viewer' },
  undo: { method: 'POST', path: '/api/imports/:id/undo', access: 'analyst' },
  delete: { method: 'DELETE', path: '/api/imports/:id', access: 'analyst' },
});
