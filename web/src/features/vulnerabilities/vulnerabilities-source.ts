import { vulnerabilities, vulnerabilityList } from '@riskboard/contract';
import { z } from 'zod';
import { defineListSource, type StateOf } from '../../ui/table/define-list-source.ts';

const Id = z.uuid().optional().catch(undefined);
/** A bound that is itself left out, of a metric card's link. */
const Bound = z.coerce.number().optional().catch(undefined);
/** The CWE whose panel is open; the router reads `?weakness=79` as a number. */
export const Weakness = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().max(40))
  .optional()
  .catch(undefined);
const { list, facets, export: exported } = vulnerabilities;

/** Every vulnerability of the organization (spec 2, Vulnerabilities table). `peek`: the row whose panel is open. */
export const vulnerabilitiesSource = defineListSource({
  route: '/dashboard/vulnerabilities',
  noun: 'vulnerabilities',
  list: vulnerabilityList,
  calls: { list, facets, export: exported },
  rows: (reply) => reply.vulnerabilities,
  extra: { fileId: Id, assetId: Id, severityAbove: Bound },
  pageState: { peek: Id, weakness: Weakness },
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
  extra: { fileId: Id },
  pageState: { peek: Id, weakness: Weakness },
});
export type VulnerabilityDataSearch = StateOf<typeof vulnerabilityDataSource>;
