import type { Related } from '@riskboard/contract';

/** A message about records with their names instead of their ids. */
export const withNames = (message: string, records: readonly Pick<Related, '_id' | 'name'>[]): string =>
  records.reduce((text, { _id, name }) => text.replaceAll(_id, () => name), message);
