import { vulnerabilities, vulnerabilityList } from '@riskboard/contract';
import { id, number, textUpTo } from '../../lib/list/search-schema.ts';
import { defineListSource, type StateOf } from '../../ui/list/define-list-source.ts';

/** The CWE whose panel is open. */
export const weakness = textUpTo(40);
const { list, facets, export: exported } = vulnerabilities;

/** Every vulnerability of the organization (spec 2, Vulnerabilities table). `peek`: the row whose panel is open. */
export const vulnerabilitiesSource = defineListSource({
  route: '/dashboard/vulnerabilities',
  noun: 'vulnerabilities',
  list: vulnerabilityList,
  calls: { list, facets, export: exported },
  rows: (reply) => reply.vulnerabilities,
  // The last: a bound that is itself left out, of a metric card's link.
  extra: { fileId: id, assetId: id, severityAbove: number },
  pageState: { peek: id, weakness },
});
export type VulnerabilitiesSearch = StateOf<typeof vulnerabilitiesSource>;

/** What reports gave: rows without a source file are no part of it (spec 5, Lists). */
export const vulnerabilityDataSource = defineListSource({
  route: '/dashboard/reports/vulnerabilities',
  noun: 'vulnerabilities',
  list: vulnerabilityList,
  calls: { list, facets, export: exported },
  base: { imported: 'true' },
  rows: (reply) => reply.vulnerabilities,
  extra: { fileId: id },
  pageState: { peek: id, weakness },
});
export type VulnerabilityDataSearch = StateOf<typeof vulnerabilityDataSource>;
