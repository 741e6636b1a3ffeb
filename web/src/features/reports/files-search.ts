import type { z } from 'zod';
import { listSearch } from '../../lib/list-search.ts';

/** State of the file list in the address. */
export const filesSearch = listSearch(
  ['originalFilename', 'stixVersion', 'uploadDate', 'size', 'vulnerabilityCount', 'threatCount'],
  '-uploadDate',
);
export type FilesSearch = z.infer<typeof filesSearch>;
