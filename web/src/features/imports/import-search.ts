import type { ImportNoun, ImportRow } from '@riskboard/contract';
import { dataPageSizes } from '../../lib/list/list-state.ts';
import {
  id,
  number,
  oneOf,
  only,
  orElse,
  page,
  searchSchema,
  string,
  textUpTo,
} from '../../lib/list/search-schema.ts';

/** Value of `project` for rows that are to have no project. */
export const noProject = 'none';

/** Outcomes that the report can be filtered by. */
const rowFilters = ['all', 'created', 'updated', 'unchanged', 'failed', 'kept'] as const satisfies readonly (
  | ImportRow['action']
  | 'all'
)[];
export type RowFilter = (typeof rowFilters)[number];

/** URL state of the page of CSV imports: it survives a reload, and shows the same in another tab. */
export const importSearch = searchSchema({
  /** The open import; absent: the upload of a file, and the earlier imports. */
  import: id,
  /** Goes back to the columns after a dry run. */
  step: oneOf(['columns']),
  /** Changes of the automatic match that no dry run has saved: `columns.ts`. */
  map: textUpTo(4000),
  key: textUpTo(60),
  project: only(string, (value) => value === noProject || id(value) !== undefined),
  /** Outcome of the rows shown in the report. */
  rows: oneOf(rowFilters),
  page: orElse(page, 1),
  pageSize: orElse(
    only(number, (size) => (dataPageSizes as readonly number[]).includes(size)),
    20,
  ),
});
export type ImportSearch = ReturnType<typeof importSearch.parse>;

/** The default state, which the URL does not show. */
export const initialImportSearch = importSearch.parse({});

/** Called with the whole next state; what it does not have is absent or at its default. */
export type OnImportSearch = (search: Partial<ImportSearch>, how?: { replace?: boolean }) => void;

/** Addresses of the pages of CSV imports. */
export const importPages = {
  assets: '/dashboard/assets/import',
  vulnerabilities: '/dashboard/vulnerabilities/import',
} as const satisfies Record<ImportNoun, string>;
