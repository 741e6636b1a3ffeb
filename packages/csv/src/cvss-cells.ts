import { cvssBaseScore } from '@riskboard/cvss';
import { parseCvssVector } from '@riskboard/domain';
import type { ReadRow } from './row-reader.ts';

/** Column values of a CVSS vector, which decides score and version (contract, CVSS), or why it is not valid. */
export type CvssColumns =
  | { ok: true; columns: { cvss_vector: string; cvss_score: number; cvss_version: string } }
  | { ok: false; message: string };

export function cvssColumns(vector: string): CvssColumns {
  const parsed = parseCvssVector(vector);
  if (!parsed.ok) return { ok: false, message: parsed.message };
  const columns = {
    cvss_vector: parsed.vector,
    cvss_score: cvssBaseScore(parsed),
    cvss_version: parsed.version,
  };
  return { ok: true, columns };
}

/** Applies the vector of a row to its score and version. Ids of CVE are in upper case, as everywhere. */
export function cvssCells({ values, problems }: ReadRow): void {
  const { cve_id: cve, cvss_vector: vector } = values;
  if (typeof cve === 'string') values['cve_id'] = cve.toUpperCase();
  if (typeof vector !== 'string') return;
  values['cvss_version'] = '';
  if (vector === '') return;
  const cvss = cvssColumns(vector);
  if (cvss.ok) Object.assign(values, cvss.columns);
  else problems.push({ field: 'cvssVector', message: cvss.message, isKept: true });
}
