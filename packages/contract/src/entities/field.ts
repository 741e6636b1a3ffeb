/** Longest text of one line. A name is looked up by an index; 500 characters fit one. */
export const textMax = 500;
/** Longest text of several lines. */
export const proseMax = 100_000;
/** Characters of the description of a record that is shown as related to another one; a longer text ends with '…'. */
export const relatedTextMax = 300;
/** Characters of a text of several lines in a row of a list; a longer text ends with '…'. */
export const listTextMax = 2000;
/** Related records that a record lists, and that a request names at most. */
export const relatedMax = 1000;
/** Characters of a text of a source of a record; a longer text ends with '…'. */
export const sourceTextMax = 10_000;

/** Labels of values, by value. */
export type Labels = Readonly<Record<string, string>>;
/** Labels of numbers, by number. */
export type NumberLabels = Readonly<Record<number, string>>;

/** A named range of numbers, highest first: from `from` up to the `from` of the previous band. */
export interface Band {
  readonly value: string;
  readonly label: string;
  readonly from: number;
}

/** Where a field is in its form, and what is special about its control. A field without it cannot be edited. */
interface FormPlacement<Section extends string> {
  section: Section;
  /** A control other than the one of the type. */
  control?: 'code' | 'segmented' | 'vector';
  hint?: string;
  placeholder?: string;
  /** Label of the choice that leaves the field empty; absent: a value is always chosen. */
  blankLabel?: string;
  /** Height of a prose field. */
  rows?: number;
  /** Takes a whole row of the form. */
  wide?: true;
}

/** A field that is changed where it is shown: in a row of a list, and beside the list. */
interface InlineEdit {
  /** Key that opens its editor for the current row of a list, in lower case. */
  key?: string;
  /** Name of a field that decides this one when it has a value: an edit would have no effect. */
  overriddenBy?: string;
}

interface FieldBase<Section extends string> {
  /** Column of the entity's table; null: derived by the list's SQL. */
  column: string | null;
  /** Label on the page of a record, in the activity log and in comparisons. */
  label: string;
  /** Label in lists, filters and exports where it differs. */
  listLabel?: string;
  /** Label in the form where it differs. */
  formLabel?: string;
  /** Part of the rows of a list, and of the detail. */
  list?: true;
  /** Part of the detail only. */
  detail?: true;
  /** Never empty in the database. */
  notNull?: true;
  sortable?: true;
  /** How a list is filtered by it: by values, or by a minimum and a maximum. */
  filter?: 'choice' | 'range';
  /** Further values that a filter accepts; each has its own condition. */
  filterValues?: Labels;
  /** Present when a person may set the field. */
  form?: FormPlacement<Section>;
  /** A create request must name it. */
  required?: true;
  /** May be set on many records at once. */
  bulk?: true;
  /** May be changed without opening the form. */
  inlineEdit?: InlineEdit;
}

type FieldType =
  /** One line; '' when empty. `format` names a rule of its own, in the schemas. */
  | { type: 'text'; max?: number; format?: 'cve' }
  /** Several lines; '' when empty. */
  | { type: 'prose' }
  /**
   * `bands` are names of ranges, which a filter accepts as well. `outOf`: written with the greatest value, '7 / 10'.
   * `unit` follows the value in texts and the range in the hint of a form. Lists and exports have the number alone.
   */
  | {
      type: 'number';
      min: number;
      max: number;
      step?: number;
      bands?: readonly Band[];
      outOf?: true;
      /** Shown with one decimal at least; up to 10, with its severity band. */
      score?: true;
      unit?: string;
    }
  | { type: 'integer'; min: number; max: number; unit?: string }
  /** Steps in an order: filters take steps or a range of them. */
  | { type: 'scale'; labels: NumberLabels }
  /** Numbers without an order, each with a label. */
  | { type: 'code'; labels: NumberLabels }
  /** Texts with labels. `open`: rows may hold other values. */
  | { type: 'choice'; labels: Labels; open?: true; default?: string }
  | { type: 'flag'; labels: { readonly true: string; readonly false: string }; default: boolean }
  /** A calendar day, YYYY-MM-DD. */
  | { type: 'day' }
  /** A moment, ISO 8601 in UTC. */
  | { type: 'instant' }
  | { type: 'tags'; format?: 'cwe' }
  /** The id of another record. */
  | { type: 'id' }
  /** Related assets: `{_id, name, description}` out, ids in. */
  | { type: 'relations' };

/** A field of an entity. Schemas, lists, forms, exports and the activity log are derived from it. */
export type Field<Section extends string = string> = FieldBase<Section> & FieldType;
export type Fields<Section extends string = string> = Readonly<Record<string, Field<Section>>>;

export interface FormSectionText {
  title: string;
  description?: string;
}

/** Tables of the entities; also the prefix of their events and of their activity actions. */
type EntityTable = 'vulnerability' | 'threat' | 'asset' | 'project';

/** A kind of record: its names and its fields. */
export interface Entity<
  Sections extends Readonly<Record<string, FormSectionText>> = Readonly<Record<string, FormSectionText>>,
  F extends Fields = Fields,
> {
  /** Name in paths, in the activity log and of the endpoint table. */
  noun: 'vulnerabilities' | 'threats' | 'assets' | 'projects';
  table: EntityTable;
  event: `${EntityTable}.changed`;
  one: string;
  many: string;
  /** Parts of the form, in the order of the page. */
  sections: Sections;
  /** In the order of a list's columns and of exports. */
  fields: F;
}

/** Declares an entity. Fields may only be in sections that exist. */
export const defineEntity = <
  const Sections extends Readonly<Record<string, FormSectionText>>,
  const F extends Fields<keyof Sections & string>,
  const Names extends Omit<Entity, 'sections' | 'fields'>,
>(
  entity: Names & { sections: Sections; fields: F },
): Names & { sections: Sections; fields: F } => entity;

/** Fields of every entity, in its section `core`. */
export const nameFields = {
  name: {
    type: 'text',
    column: 'name',
    label: 'Name',
    list: true,
    notNull: true,
    sortable: true,
    required: true,
    form: { section: 'core', wide: true },
  },
  description: {
    type: 'prose',
    column: 'description',
    label: 'Description',
    list: true,
    required: true,
    form: { section: 'core', rows: 4 },
  },
} as const satisfies Fields;

/** Name of the newest report that asserts a record; empty for records without one. */
export const sourceFileField = {
  type: 'text',
  column: 'source_file',
  label: 'Source file',
  listLabel: 'Source File',
  list: true,
  sortable: true,
  filter: 'choice',
} as const satisfies Field;

/** When a record was made and last changed: fields of every entity. */
export const timeFields = (labels: { created: string; updated: string }) =>
  ({
    createdAt: {
      type: 'instant',
      column: 'created_at',
      label: 'Created',
      listLabel: labels.created,
      list: true,
      notNull: true,
      sortable: true,
      filter: 'range',
    },
    updatedAt: {
      type: 'instant',
      column: 'updated_at',
      label: 'Updated',
      listLabel: labels.updated,
      list: true,
      notNull: true,
      sortable: true,
      filter: 'range',
    },
  }) as const;

/** A number of records, counted in a column or by the list's SQL (null). */
export const countField = <const Column extends string | null>(label: string, column: Column) =>
  ({
    type: 'integer',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    column,
    label,
    list: true,
    notNull: true,
    sortable: true,
    filter: 'range',
  }) as const;

/** Labels of `isActive`. */
export const activeLabels = { true: 'Active', false: 'Inactive' } as const;

/**
 * State of an imported record in its reports. It is superseded when newer versions of its objects are other records, as after
 * a CVE was corrected (decision 92).
 */
export const withdrawalLabels = {
  revoked: 'Revoked',
  deprecated: 'Deprecated',
  superseded: 'Superseded',
} as const;
