import { plural as pluralOf } from '@riskboard/domain';

/** A count with the noun of an entity, as in "1 asset" and "2,000 assets". */
export const plural = (count: number, { one, many }: { one: string; many: string }): string =>
  pluralOf(count, one, many);
