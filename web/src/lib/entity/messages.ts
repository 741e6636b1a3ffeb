import { plural } from '@riskboard/domain';

/** Title of a toast, and a description where it is needed. */
export type Message = readonly [title: string, description?: string | undefined];

/** Toasts of an entity. The description of a failure is the fallback for an empty message of the server. */
export interface EntityMessages {
  created: string;
  createFailed: string;
  updated: string;
  updateFailed: string;
  deleted: string;
  deleteFailed: string;
  deletedMany: (count: number) => Message;
  deleteManyFailed: Message;
  updatedMany: string;
  updateManyFailed: string;
  restored: string;
  restoredMany: string;
  restoreFailed: string;
  /** Below the title of a page whose record failed to load, for entities whose text the spec fixes. */
  loadFailed?: string;
}

/** 'Threat' of 'threat'. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface Names {
  one: string;
  many: string;
}

/**
 * Toasts in the pattern of spec 8: 'Threat created', 'Error: Failed to create threat. Please try again.'
 * @param own texts that the spec fixes otherwise for the entity
 */
export function messagesOf({ one, many }: Names, own: Partial<EntityMessages> = {}): EntityMessages {
  const [record, records] = [capitalized(one), capitalized(many)];
  const failed = (action: string) => `Error: Failed to ${action}. Please try again.`;
  return {
    created: `${record} created`,
    createFailed: failed(`create ${one}`),
    updated: `${record} updated`,
    updateFailed: failed(`update ${one}`),
    deleted: `${record} deleted`,
    deleteFailed: failed(`delete ${one}`),
    deletedMany: (count) => [
      `${records} deleted`,
      `${plural(count, one, many)} ${count === 1 ? 'was' : 'were'} successfully deleted.`,
    ],
    deleteManyFailed: [failed(`delete ${many}`)],
    updatedMany: `${records} updated`,
    updateManyFailed: failed(`update ${many}`),
    restored: `${record} restored`,
    restoredMany: `${records} restored`,
    restoreFailed: failed(`restore ${one}`),
    ...own,
  };
}
