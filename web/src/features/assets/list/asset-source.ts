import { assetList, assets } from '@riskboard/contract';
import { dayOrMoment, id } from '../../../lib/list/search-schema.ts';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

const { list, facets, export: exported } = assets;

/** Every asset of the organization (spec 2, Assets table). `peek`: the row whose panel is open. */
export const assetsSource = defineListSource({
  route: '/dashboard/assets',
  noun: 'assets',
  list: assetList,
  sort: '-riskScore',
  calls: { list, facets, export: exported },
  rows: (reply) => reply.assets,
  // Set by links of the pages of records and assets, of alerts and of the overview.
  extra: {
    threatId: id,
    vulnerabilityId: id,
    dependsOn: id,
    alert: id,
    riskChangedAtMin: dayOrMoment,
    riskChangedAtMax: dayOrMoment,
  },
  pageState: { peek: id },
});
export type AssetsSearch = StateOf<typeof assetsSource>;
