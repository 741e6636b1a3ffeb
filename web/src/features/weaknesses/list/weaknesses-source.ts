import { cwe, weaknessList } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

/** Entries of the weakness catalogue, by number. */
export const weaknessesSource = defineListSource({
  route: '/dashboard/weaknesses',
  noun: 'weaknesses',
  list: weaknessList,
  calls: { list: cwe.list, facets: cwe.facets, export: cwe.export },
  rows: (reply) => reply.items,
});
export type WeaknessesSearch = StateOf<typeof weaknessesSource>;
