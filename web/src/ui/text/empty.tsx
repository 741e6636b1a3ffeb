import { notAvailable } from '@riskboard/contract';

/** Stands where a value would: it is told that there is none, and none is invented (contract, Meanings). */
export const Empty = () => <span className="text-muted">{notAvailable}</span>;

/** A text, or that there is none. */
export const Maybe = ({ text }: { text: string }) => (text === '' ? <Empty /> : <span>{text}</span>);
