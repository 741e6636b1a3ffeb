import { createOwnedStore } from '../../../lib/session/page-owner.ts';
import type { DetailOf, Entity, EntityRecord } from '../../../lib/entity/entity.ts';

/** A record as a row or a pane shows it. */
export type EditedRecord = Pick<EntityRecord, '_id' | 'name' | 'version'>;

/** A change of one field where it is shown. */
export interface FieldChange {
  entity: Entity;
  record: EditedRecord;
  name: string;
  /** As a request sends it: '' clears a number. */
  value: unknown;
}

/** A change that was refused because the record has a newer version. */
export interface RefusedChange extends FieldChange {
  before: unknown;
  newer: DetailOf<Entity>;
}

/** The change that the user is asked about. */
export const refusedChange = createOwnedStore<RefusedChange | undefined>(undefined);

/** The value of a field of a record. */
export const valueOf = (record: object, name: string): unknown => (record as Record<string, unknown>)[name];
