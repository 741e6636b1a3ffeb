import type { BulkDeleted, BulkUpdated, Restored } from '@riskboard/contract';
import { etagOf } from '@riskboard/contract';
import type { z } from 'zod';
import type { Selection } from './record-cache.ts';

/** A change of one record. */
export interface Update<Change> {
  id: string;
  change: Change;
  /** Version that the person saw; a newer one on the server refuses the change. Absent: the last write wins. */
  version?: number | undefined;
}

interface Job {
  jobId: string;
  message: string;
}

/** Words of a toast: what happened, and what more there is to say. */
export type Words = readonly [title: string, description?: string];

/** What the toasts say, in the words of spec 8; where a failure has a second text, it serves without the server's. */
export interface RecordTexts {
  created: string;
  createFailed: string;
  updated: string;
  updateFailed: string;
  deleted: string;
  deleteFailed: string;
  deletedMany: (count: number) => Words;
  deleteManyFailed: Words;
  updatedMany: string;
  updateManyFailed: string;
  restored: string;
  restoredMany: string;
  restoreFailed: string;
}

/** A noun whose records are made, changed and deleted: its calls and its words. */
export interface RecordKind<Detail, New, Change, Bulk> {
  noun: string;
  texts: RecordTexts;
  /** As it will stand in the lists, before the server has said so; undefined: what was typed is not valid. */
  preview: (body: New) => Promise<Record<string, unknown> | undefined>;
  /** The fields of a change as records carry them; undefined: it is not valid. */
  fields: (change: Change) => Promise<Record<string, unknown> | undefined>;
  create: (body: New) => Promise<Detail>;
  update: (update: Update<Change>) => Promise<Detail>;
  remove: (id: string) => Promise<unknown>;
  removeMany: (selection: Selection) => Promise<z.infer<typeof BulkDeleted> | Job>;
  updateMany: (selection: Selection, change: Bulk) => Promise<z.infer<typeof BulkUpdated> | Job>;
  restore: (ids: string[]) => Promise<z.infer<typeof Restored>>;
}

/** Headers of a change that must not overwrite another's. */
export const ifMatch = (version: number | undefined): { headers?: Record<string, string> } =>
  version === undefined ? {} : { headers: { 'if-match': etagOf(version) } };

/** Related assets are sent by id and shown by name: what is cached keeps its own until the answer is here. */
export function withoutAssets(fields: Record<string, unknown>): Record<string, unknown> {
  const { relatedAssets: _, ...rest } = fields;
  return rest;
}

/** Now, as records carry it. */
export const moment = () => new Date().toISOString();
