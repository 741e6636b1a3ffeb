/**
 * MITRE's copyright designation and licence, which the CWE Terms of Use require in every copy
 * (https://cwe.mitre.org/about/termsofuse.html).
 * @param date of the catalogue, YYYY-MM-DD; null: unknown
 */
export const cweNotice = (date: string | null): string =>
  `Copyright © 2006–${date?.slice(0, 4) ?? '2026'}, The MITRE Corporation. CWE, CWSS, CWRAF, and the CWE logo are trademarks of The MITRE Corporation.

CWE is free to use by any organization or individual for any research, development, and/or commercial purposes, per these CWE Terms of Use. Accordingly, The MITRE Corporation hereby grants you a non-exclusive, royalty-free license to use CWE for research, development, and commercial purposes. Any copy you make for such purposes is authorized on the condition that you reproduce MITRE's copyright designation and this license in any such copy.

All documents and the information contained in the CWE are provided on an "as is" basis and the contributor, the organization he/she represents or is sponsored by (if any), The MITRE Corporation, its board of trustees, officers, agents, and employees, disclaim all warranties, express or implied, including but not limited to any warranty that the use of the information therein will not infringe any rights or any implied warranties of merchantability or fitness for a particular purpose.`;
