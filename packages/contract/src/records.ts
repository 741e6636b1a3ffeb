export const graphKinds = ['vulnerability', 'threat', 'asset', 'project'] as const;
/** `If-Match` carries the version of the `ETag`; a stale one gets 412 (contract, HTTP). */
export const etagOf = (version: number): string => `"${version}"`;
/** At most this many suggestions of a noun. */
export const mostSuggestions = 20;
