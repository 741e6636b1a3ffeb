import { Outcome } from '@riskboard/contract';
import type { z } from 'zod';
import { listSearch } from '../../lib/list-search.ts';

/** State of the import report's list of objects in the address. */
export const objectsSearch = listSearch(['ordinal', 'type', 'outcome'], 'ordinal').extend({
  outcome: Outcome.optional().catch(undefined),
});
export type ObjectsSearch = z.infer<typeof objectsSearch>;
