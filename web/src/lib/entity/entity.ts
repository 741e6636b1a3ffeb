import type { Endpoint, Entity as EntityTable, Reply } from '@riskboard/contract';
import type { z } from 'zod';
import type { Schemas } from '../load-schemas.ts';
import type { FormValues } from './form-values.ts';
import type { EntityMessages } from './messages.ts';

/** Entities that have pages of their own: a list, a form, and a page for each record. */
export type PageNoun = 'vulnerabilities' | 'threats' | 'assets' | 'projects';

/** What every record carries in addition to the fields of its entity. */
export interface EntityRecord {
  readonly _id: string;
  readonly name: string;
  readonly version: number;
  /** Name of the user who changed the record last; empty for reports. */
  readonly updatedBy: string;
  readonly updatedAt: string;
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
  /** Create is disabled while any field is invalid (spec 5, Project); absent: while a required field is blank. */
  createsValidOnly?: true;
  /** The values of the form over a record, where they are not the record's fields. */
  valuesOf?: (values: FormValues, record: Body) => FormValues;
  /** The body that is sent, where it is not the form's values. */
  bodyOf?: (body: Body) => Body;
  /** The query of the request that creates a record. */
  queryOf?: (body: Body) => Readonly<Record<string, string>>;
  /** The fields of a new record that the server derives, for its row until the server has answered. */
  derivedOf?: (record: Body) => Body;
  /** Fields that a change sends with the version even if they are unchanged. */
  alwaysSent?: readonly string[];
  /** What the schema does not check, by field. */
  problemsOf?: (body: Body, schemas: Schemas) => Readonly<Record<string, string>>;
}

type EntityCall = 'get' | 'create' | 'update' | 'delete' | 'deleteMany' | 'restore';
type BulkEditCall = EntityCall | 'updateMany';
type ImportableCall = BulkEditCall | 'sources' | 'revert' | 'related' | 'graph';

/** An entity as the web knows it: the contract's field table, its calls, messages and form rules. */
export interface Entity extends EntityTable {
  noun: PageNoun;
  calls: Readonly<Record<EntityCall, Endpoint>>;
  messages: EntityMessages;
  form: FormRules;
}

/** An entity whose list can edit several records at once. */
export interface BulkEditEntity extends Entity {
  calls: Readonly<Record<BulkEditCall, Endpoint>>;
}

/** An entity whose records may come from reports. */
export interface ImportableEntity extends BulkEditEntity {
  calls: Readonly<Record<ImportableCall, Endpoint>>;
}

/** One record of an entity with all of its fields. */
export type DetailOf<E extends Pick<Entity, 'calls'>> = Reply<E['calls']['get']> & EntityRecord;

/** Whether records of an entity may come from reports: they have sources, and fields that a user changed. */
export const isImportable = (entity: Entity): entity is ImportableEntity => 'sources' in entity.calls;

/** Whether several records of an entity can be edited at once. */
export const hasBulkEdit = (entity: Entity): entity is BulkEditEntity => 'updateMany' in entity.calls;

/** Addresses of the pages of every entity. The dashboard is the list of projects (spec 2). */
const pages = {
  vulnerabilities: {
    list: '/dashboard/vulnerabilities',
    create: '/dashboard/vulnerabilities/new',
    detail: '/dashboard/vulnerabilities/$id',
    edit: '/dashboard/vulnerabilities/$id/edit',
  },
  threats: {
    list: '/dashboard/threats',
    create: '/dashboard/threats/new',
    detail: '/dashboard/threats/$id',
    edit: '/dashboard/threats/$id/edit',
  },
  assets: {
    list: '/dashboard/assets',
    create: '/dashboard/assets/new',
    detail: '/dashboard/assets/$id',
    edit: '/dashboard/assets/$id/edit',
  },
  projects: {
    list: '/dashboard',
    create: '/dashboard/projects/new',
    detail: '/dashboard/projects/$id',
    edit: '/dashboard/projects/$id/edit',
  },
} as const satisfies Record<PageNoun, Record<'list' | 'create' | 'detail' | 'edit', string>>;

/** Addresses of an entity's pages. */
export const pagesOf = <N extends PageNoun>(noun: N): (typeof pages)[N] => pages[noun];
