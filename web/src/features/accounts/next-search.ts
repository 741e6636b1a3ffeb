import { only, searchSchema, string } from '../../lib/list/search-schema.ts';

/** `?next=` after a login: a path of this site, so that no link can lead a fresh session elsewhere. */
export const nextSearch = searchSchema({ next: only(string, (path) => /^\/(?![/\\])/u.test(path)) });
