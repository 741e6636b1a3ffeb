import type { VulnerabilityDetail } from '@riskboard/contract';
import type { CwssFactor } from '@riskboard/domain';

type Fields = Pick<VulnerabilityDetail, 'cvssVector' | 'cwe' | 'cveId' | 'relatedAssets'>;

const fromCvss: ReadonlySet<CwssFactor> = new Set(['AP', 'RP', 'AV', 'AS', 'IN']);
const fromCwe: ReadonlySet<CwssFactor> = new Set(['TI', 'EX']);
const fromCve: ReadonlySet<CwssFactor> = new Set(['FC', 'DI']);

/** The field of the vulnerability that would fill in a factor; undefined when only an analyst can. */
export function missingField(factor: CwssFactor, detail: Fields): string | undefined {
  if (fromCvss.has(factor) && detail.cvssVector === '') return 'Add a CVSS vector';
  if (fromCwe.has(factor) && detail.cwe.length === 0) return 'Add a CWE';
  if (fromCve.has(factor) && detail.cveId === '') return 'Add a CVE id';
  if (factor === 'BI' && detail.relatedAssets.length === 0) return 'Relate an asset';
  return undefined;
}
