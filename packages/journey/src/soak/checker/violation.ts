import type { History, Operation, ReceivedEvent } from '../history.ts';

/** A broken promise, with what shows it. */
export interface Violation {
  rule: string;
  message: string;
  shown: readonly (Operation | ReceivedEvent)[];
}

/** What a rule finds; without the name of the rule. */
export type Finding = Omit<Violation, 'rule'>;
export type Rule = (history: History) => Finding[];

/** An operation whose answer was lost may take effect at any later time. */
export const effectEnd = ({ outcome, endedAt }: Operation): number =>
  outcome === 'acknowledged' ? endedAt : Infinity;
