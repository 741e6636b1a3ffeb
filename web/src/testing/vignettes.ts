import type { Vignette, VignettePreview, VignetteSummary } from '@riskboard/contract';
import { Vignette as VignetteSchema } from '@riskboard/contract/schemas';
import { newId } from './rows.ts';

/** A vignette, valid by the contract. */
export const vignetteOf = (change: Partial<Vignette> = {}): Vignette => {
  const id = change._id ?? newId();
  return VignetteSchema.parse({
    _id: id,
    id,
    name: 'Harbour control',
    scorecardName: 'Cranes and locks',
    origin: 'Harbour Authority',
    originalFilename: 'harbour.json',
    version: 3,
    ratedCells: 3,
    vulnerabilities: 12,
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    description: 'Cranes, locks and what steers them.',
    domain: 'Logistics',
    maturity: 'draft',
    archetypes: ['PLC', 'Web server'],
    businessValueContext: 'A standstill costs ships their slot.',
    notes: '',
    references: ['https://example.org/harbour'],
    scorecard: [
      { impact: 'Modify data', layer: 'System', subscore: 9, notes: 'Cranes move.' },
      { impact: 'Modify data', layer: 'Application', subscore: 4, notes: '' },
      { impact: 'Read data', layer: 'Network', subscore: 0, notes: '' },
    ],
    createdBy: null,
    updatedBy: null,
    versions: [
      { version: 3, at: '2026-11-20T10:00:00.000Z', by: 'Ben Pier' },
      { version: 2, at: '2026-11-10T10:00:00.000Z', by: 'Ada Quay' },
      { version: 1, at: '2026-11-01T10:00:00.000Z', by: 'Ada Quay' },
    ],
    ...change,
  } satisfies Vignette);
};

/** A vignette as a list shows it. */
export function summaryOf(change: Partial<Vignette> = {}): VignetteSummary {
  const { _id, id, name, scorecardName, origin, originalFilename, version, ...rest } = vignetteOf(change);
  const { ratedCells, vulnerabilities, createdAt, updatedAt } = rest;
  return {
    _id,
    id,
    name,
    scorecardName,
    origin,
    originalFilename,
    version,
    ratedCells,
    vulnerabilities,
    createdAt,
    updatedAt,
  };
}

/** A preview in which nothing moves. */
export const previewOf = (change: Partial<VignettePreview> = {}): VignettePreview => ({
  vulnerabilities: 12,
  calculated: 12,
  higher: 0,
  lower: 0,
  unchanged: 12,
  meanBefore: 40,
  meanAfter: 40,
  moves: [],
  ...change,
});
