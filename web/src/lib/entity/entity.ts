import type { Endpoint, Entity as EntityTable, Reply } from '@riskboard/contract';
import type { z } from 'zod';
import type { Schemas } from '../schemas.ts';
import type { FormValues } from './form-values.ts';
import type { EntityMessages } from './messages.ts';

/** Entities that have pages of their own: a list, a form, and a page for each record. */
export type PageNoun = 'vulnerabilities' | 'threats';

/** What every record carries in addition to the fields of its entity. */
export interface EntityRecord {
  readonly _id: string;
  readonly name: string;
  readonly version: number;
  /** Name of the user who changed the record last; empty for reports. */
  readonly updatedBy: string;
}

/** A record that may come from a report. */
export interface ImportableRecord extends EntityRecord {
  readonly imported: boolean;
  readonly editedFields: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** Fields of a record as the API takes them. */
export type Body = Readonly<Record<string, unknown>>;

/** Rules of an entity's form that the field table does not express. */
export interface FormRules {
  /** Checks a new record. */
  schemaOf: (schemas: Schemas) => z.ZodType;
  /** The values of the form over a record, where they are not the record's fields. */
  valuesOf?: (values: FormValues, record: Body) => FormValues;
  /** The body that is sent, where it is not the form's values. */
  bodyOf?: (body: Body) => Body;
  /** What the schema does not check, by field. */
  problemsOf?: (body: Body, schemas: Schemas) => Readonly<Record<string, string>>;
}

type EntityCall = 'get' | 'create' | 'update' | 'delete' | 'deleteMany' | 'updateMany' | 'restore';
type ImportableCall = EntityCall | 'sources' | 'revert' | 'graph';

/** An entity as the web knows it: the contract's field table, its calls, messages and form rules. */
export interface Entity extends EntityTable {
  noun: PageNoun;
  calls: Readonly<Record<EntityCall, Endpoint>>;
  messages: EntityMessages;
  form: FormRules;
}

/** An entity whose records may come from reports. */
export interface ImportableEntity extends Entity {
  calls: Readonly<Record<ImportableCall, Endpoint>>;
}

/** One record of an entity with all of its fields. */
export type DetailOf<E extends Pick<Entity, 'calls'>> = Reply<E['calls']['get']> & EntityRecord;

/** Addresses of an entity's pages. */
export const pagesOf = <N extends PageNoun>(noun: N) =>
  ({
    list: `/dashboard/${noun}`,
    create: `/dashboard/${noun}/new`,
    detail: `/dashboard/${noun}/$id`,
    edit: `/dashboard/${noun}/$id/edit`,
  }) as const;
