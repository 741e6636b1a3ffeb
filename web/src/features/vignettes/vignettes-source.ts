import { vignetteList, vignettes } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../ui/list/define-list-source.ts';

/** The scoring vignettes of the organization. */
export const vignettesSource = defineListSource({
  route: '/dashboard/reports/vignettes',
  noun: 'vignettes',
  list: vignetteList,
  calls: { list: vignettes.list, facets: vignettes.facets, export: vignettes.export },
  rows: (reply) => reply.items,
});
export type VignettesSearch = StateOf<typeof vignettesSource>;
