export const graphKinds = ['vulnerability', 'threat', 'asset', 'project'] as const;
/** For `If-Match`, which compares the version of an `ETag` alone; a stale one gets 412 (contract, HTTP). */
export const etagOf = (version: number): string => `"${version}"`;
/** Records that reports relate to another one: the first by name, and as many reports for each type of relation. */
export const mostRelated = 100;
export const mostReportsOfRelation = 5;
/** At most this many sources of a record. */
export const mostSources = 100;
/** At most this many suggestions of a noun. */
export const mostSuggestions = 20;
