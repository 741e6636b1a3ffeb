import { cweNumber, type WeaknessFacts } from '@riskboard/domain';
import { weaknessFacts } from '../cwe/weakness-facts.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** What the organization's catalogue states about some weaknesses. */
export interface KnownWeaknesses {
  catalogueVersion: string;
  /** By the text that names the weakness, as vulnerabilities have it. */
  byText: ReadonlyMap<string, WeaknessFacts>;
}

const unnamed = (cwe: string): WeaknessFacts => ({
  cwe,
  name: '',
  likelihood: '',
  impacts: [],
  inheritedFrom: null,
  note: `${cwe} names no weakness.`,
});

/** @param texts as in the column `cwe`: CWE-79, or a placeholder such as NVD-CWE-noinfo */
export async function loadWeaknesses(
  trx: OrganizationTransaction,
  texts: readonly string[],
): Promise<KnownWeaknesses> {
  const numbers = [...new Set(texts.flatMap((text) => cweNumber(text) ?? []))];
  const { catalogueVersion, weaknesses } = await weaknessFacts(trx, numbers);
  const factsOf = (text: string): WeaknessFacts => {
    const number = cweNumber(text);
    const known = number === undefined ? undefined : weaknesses.get(number);
    return known === undefined ? unnamed(text) : { cwe: `CWE-${number}`, ...known };
  };
  return { catalogueVersion, byText: new Map(texts.map((text) => [text, factsOf(text)])) };
}
