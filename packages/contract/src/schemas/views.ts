import type { SchemaTable } from '../endpoint.ts';
import { listRoutes } from '../views.ts';
import { Deleted, Id, IdParams, Name, Time } from './common.ts';
import { z } from 'zod';

/** A saved list view: filters, sort, columns, density. Every member may open it by its link. */
export const SavedView = z
  .object({
    _id: Id,
    list: z.string().describe('Route of the list, as in `/dashboard/reports/vulnerabilities`.'),
    name: z.string(),
    search: z.record(z.string(), z.unknown()).describe("The search part of the list's address."),
    isDefault: z.boolean().describe('Opens when the list is opened without a search.'),
    own: z.boolean(),
    owner: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

/** A page knows its own path as a text. */
const ListPath: z.ZodType<string> = z.enum(listRoutes, 'Unknown list.');

const fields = {
  name: Name.max(100),
  search: z
    .record(z.string().max(60), z.unknown())
    .refine((value) => JSON.stringify(value).length <= 8000, 'Too long.'),
  isDefault: z.boolean().default(false),
};

export const viewSchemas = {
  list: {
    summary: 'Saved views of a list: your own, and shared ones requested by id',
    query: z.strictObject({
      list: z.string().max(200).describe('Name of the list, as in the saved view.'),
      _id: Id.optional().describe('A shared view, also of another member.'),
    }),
    reply: { 200: z.object({ views: z.array(SavedView) }) },
  },
  create: {
    summary: 'Save a view of a list',
    body: z.object({
      list: ListPath,
      ...fields,
      _id: Id.optional().describe('The id of a deleted view, whose links then open this one.'),
    }),
    reply: { 201: SavedView },
  },
  update: {
    summary: 'Change one of your own views',
    params: IdParams,
    body: z.object({
      name: fields.name.optional(),
      search: fields.search.optional(),
      isDefault: z.boolean().optional(),
    }),
    reply: { 200: SavedView },
  },
  delete: { summary: 'Delete one of your own views', params: IdParams, reply: { 200: Deleted } },
} satisfies SchemaTable;
