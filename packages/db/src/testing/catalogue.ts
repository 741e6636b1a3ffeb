import type { CatalogueContent, CweEntry } from '@riskboard/cwe';

/** A made-up weakness, a child of CWE-79. */
export const entryOf = (id: number, change: Partial<CweEntry['data']> = {}): CweEntry => ({
  id,
  kind: 'weakness',
  data: {
    Name: `Weakness ${id}`,
    Abstraction: 'Base',
    Structure: 'Simple',
    Status: 'Draft',
    Description: 'Of a test.',
    ExtendedDescription: '',
    Likelihood: '',
    Weaknesses: [{ ID: '79', Nature: 'ChildOf', View: '1000' }],
    Consequences: [],
    Mitigations: [],
    Mapping: { Usage: 'Allowed', Rationale: '', Comments: '' },
    ...change,
  },
});

/** A catalogue of these entries. */
export const catalogueOf = (version: string, entries: CweEntry[]): CatalogueContent => ({
  version,
  date: '2026-01-21',
  notice: 'Copyright MITRE',
  entries,
});
