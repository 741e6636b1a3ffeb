import type { Facets } from '@riskboard/contract';
import {
  createFairSlots,
  type Database,
  type OrganizationTransaction,
  withOrganization,
} from '@riskboard/db';

/** A call for more fields, or for all of them, takes the database several times as long, so the number of such calls is limited. */
const mostFields = 4;
/**
 * Maximum number of such concurrent calls, per organization and in total, so that the database keeps a core for other
 * work.
 */
const slots = createFairSlots({ total: 2, perKey: 1, waiting: 100 });

interface FacetCall {
  organizationId: string;
  /** Absent: all fields. */
  field?: readonly string[] | undefined;
}

/**
 * Counts facets in a transaction of the organization.
 * @throws SlotsFull when too many calls for many fields wait
 */
export function countFacets(
  database: Database,
  { organizationId, field }: FacetCall,
  work: (trx: OrganizationTransaction) => Promise<Facets>,
): Promise<Facets> {
  const count = () => withOrganization(database, organizationId, work);
  const isBroad = field === undefined || new Set(field).size > mostFields;
  return isBroad ? slots.run(organizationId, count) : count();
}
