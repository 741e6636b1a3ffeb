import { notAvailable } from '@riskboard/contract';

/** Shown instead of a missing value (contract, Meanings). */
export const Empty = () => <span className="text-muted">{notAvailable}</span>;
