import { notAvailable } from '@riskboard/contract';

/** Shown instead of a missing value (contract, Meanings). */
export const Empty = () => <span className="text-muted">{notAvailable}</span>;

/** A text, or N/A when it is empty. */
export const Maybe = ({ text }: { text: string }) => (text === '' ? <Empty /> : <span>{text}</span>);
