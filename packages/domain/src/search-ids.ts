/** Identifiers that a search text may mean. */
export interface SearchIds {
  /** In full, as in CVE-2024-12345. */
  cve: string | undefined;
  /** As in CWE-79. */
  cwe: string | undefined;
  /** CAPEC and ATT&CK, as in CAPEC-66 and T1059.001. */
  threats: string[];
}

const cveForm = /^(?:CVE[\s-]*)?(\d{4})-(\d{4,19})$/u;
const spacedCveForm = /^CVE[\s-]*(\d{4})[\s-]+(\d{4,19})$/u;
const cweForm = /^(?:CWE[\s:-]*)?0*([1-9]\d{0,5})$/u;
const capecForm = /^(?:CAPEC[\s:-]*)?0*([1-9]\d{0,5})$/u;
const attackForm =
  /^(?:(?:MITRE\s*)?(?:ATT&CK|ATTACK)[\s:-]*)?((?:TA|DS|DC|DET|AN|[TSGMC])\d{4}(?:\.\d{3})?)$/u;
/** An ATT&CK technique without its T. */
const bareTechniqueForm = /^\d{4}(?:\.\d{3})?$/u;

/** Finds the identifiers that a search text may mean, with or without prefix, in any case (CVE, CWE, CAPEC, ATT&CK). */
export function searchIds(text: string): SearchIds {
  const wanted = text.trim().toUpperCase();
  const cve = cveForm.exec(wanted) ?? spacedCveForm.exec(wanted);
  const cwe = cweForm.exec(wanted);
  const capec = capecForm.exec(wanted);
  const attack = attackForm.exec(wanted);
  return {
    cve: cve ? `CVE-${cve[1]}-${cve[2]}` : undefined,
    cwe: cwe ? `CWE-${cwe[1]}` : undefined,
    threats: [
      ...(capec ? [`CAPEC-${capec[1]}`] : []),
      ...(attack?.[1] ? [attack[1]] : []),
      ...(bareTechniqueForm.test(wanted) ? [`T${wanted}`] : []),
    ],
  };
}
