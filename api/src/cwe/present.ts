import type { WeaknessSummary } from '@riskboard/contract';

/** A row of the list of weaknesses. */
export interface WeaknessRow extends Omit<WeaknessSummary, 'ID'> {
  id: string;
}

export const presentWeakness = ({
  number,
  name,
  kind,
  abstraction,
  status,
  likelihood,
  vulnerabilities,
}: WeaknessRow): WeaknessSummary => ({
  ID: String(number),
  number,
  name,
  kind,
  abstraction,
  status,
  likelihood,
  vulnerabilities,
});
