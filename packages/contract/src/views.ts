import { z } from 'zod';
import { Deleted, Id, IdParams, Time } from './common.ts';
import { endpoints } from './endpoint.ts';

/** Pages of the lists that can be saved as somebody likes them; a list below one record is none. */
export const listRoutes = [
  '/dashboard/activity',
  '/dashboard/assets',
  '/dashboard/jobs',
  '/dashboard/projects',
  '/dashboard/reports',
  '/dashboard/reports/threats',
  '/dashboard/reports/vulnerabilities',
  '/dashboard/threats',
  '/dashboard/vulnerabilities',
] as const;
export type ListRoute = (typeof listRoutes)[number];

/** A list as somebody likes it: filters, sort, columns, density. Everybody may open it by its link. */
export const SavedView = z
  .object({
    _id: Id,
    /** Route of the list, as in `/dashboard/reports/vulnerabilities`. */
    list: z.string(),
    name: z.string(),
    /** The search part of the list's address. */
    search: z.record(z.string(), z.unknown()),
    /** Opens when the list is opened without a search. */
    isDefault: z.boolean(),
    own: z.boolean(),
    owner: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

/** A page knows its own path as a text. */
const ListPath: z.ZodType<string> = z.enum(listRoutes, 'There is no such list.');

const fields = {
  name: z.string().trim().min(1, 'Enter a name.').max(100),
  search: z
    .record(z.string().max(60), z.unknown())
    .refine((value) => JSON.stringify(value).length <= 8000, 'Too long.'),
  isDefault: z.boolean().default(false),
};

export const views = endpoints({
  list: {
    method: 'GET',
    path: '/api/views',
    access: 'viewer',
    summary: 'Saved views of a list: your own, and those of others that you were given the link of',
    query: z.object({ list: z.string().max(200), _id: Id.optional() }),
    reply: { 200: z.object({ views: z.array(SavedView) }) },
  },
  create: {
    method: 'POST',
    path: '/api/views',
    access: 'self',
    summary: 'Save a view of a list',
    body: z.object({ list: ListPath, ...fields }),
    reply: { 201: SavedView },
  },
  update: {
    method: 'PUT',
    path: '/api/views/:id',
    access: 'self',
    summary: 'Change a view of your own',
    params: IdParams,
    body: z.object({
      name: fields.name.optional(),
      search: fields.search.optional(),
      isDefault: z.boolean().optional(),
    }),
    reply: { 200: SavedView },
  },
  delete: {
    method: 'DELETE',
    path: '/api/views/:id',
    access: 'self',
    summary: 'Delete a view of your own',
    params: IdParams,
    reply: { 200: Deleted },
  },
});
