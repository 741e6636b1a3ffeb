import { type Asset, assetEntity, threatEntity, vulnerabilityEntity } from '@riskboard/contract';
import { AssetDetail, ThreatDetail, VulnerabilityDetail } from '@riskboard/contract/schemas';
import { blankFields, newId, threatOf, vulnerabilityOf } from './rows.ts';

/** A vulnerability with all of its fields, valid by the contract. */
export const vulnerabilityDetailOf = (change: Partial<VulnerabilityDetail> = {}): VulnerabilityDetail =>
  VulnerabilityDetail.parse({
    ...blankFields(vulnerabilityEntity),
    ...vulnerabilityOf({ description: 'Remote code execution by a logged text.', sourceFile: '' }),
    details: {},
    editedFields: [],
    imported: false,
    relatedAssetTotal: change.relatedAssets?.length ?? 0,
    createdBy: null,
    updatedBy: 'Ada Lovelace',
    version: 1,
    ...change,
  } satisfies VulnerabilityDetail);

/** A threat with all of its fields, valid by the contract. */
export const threatDetailOf = (change: Partial<ThreatDetail> = {}): ThreatDetail =>
  ThreatDetail.parse({
    ...blankFields(threatEntity),
    ...threatOf({ description: 'A loader that brings others.', sourceFile: '' }),
    details: {},
    editedFields: [],
    imported: false,
    relatedAssetTotal: change.relatedAssets?.length ?? 0,
    createdBy: null,
    updatedBy: 'Ada Lovelace',
    version: 1,
    ...change,
  } satisfies ThreatDetail);

/** An asset as the lists show it, valid by the contract. */
export const assetOf = (change: Partial<Asset> = {}): Asset => ({
  _id: newId(),
  version: 1,
  name: 'Mail gateway',
  description: 'Receives external email.',
  projectId: newId(),
  projectName: 'Perimeter',
  assetTypeId: 3,
  criticality: 4,
  replacementCost: null,
  recoveryCost: null,
  confidentialityLevel: null,
  integrityLevel: null,
  availabilityLevel: null,
  riskScore: 2.7,
  health: 'Healthy',
  threatCount: 0,
  vulnerabilityCount: 0,
  startDate: null,
  isActive: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...change,
});

/** An asset with all of its fields, valid by the contract. */
export const assetDetailOf = (change: Partial<AssetDetail> = {}): AssetDetail =>
  AssetDetail.parse({
    ...blankFields(assetEntity),
    ...assetOf(),
    parentAssets: [],
    parentAssetTotal: change.parentAssets?.length ?? 0,
    relatedAssetTotal: change.relatedAssets?.length ?? 0,
    threats: [],
    vulnerabilities: [],
    createdBy: null,
    updatedBy: 'Ada Lovelace',
    ...change,
  } satisfies AssetDetail);
