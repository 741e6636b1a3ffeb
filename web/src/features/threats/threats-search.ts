import { z } from 'zod';
import { listSearch } from '../../lib/list-search.ts';

/** State of the threat lists in the address; `fileId`: what that file asserts. */
export const threatsSearch = listSearch(
  ['name', 'threatID', 'kind', 'riskLevel', 'sourceFile', 'createdAt', 'updatedAt'],
  '-createdAt',
).extend({ fileId: z.uuid().optional().catch(undefined) });
export type ThreatsSearch = z.infer<typeof threatsSearch>;
