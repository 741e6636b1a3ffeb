import {
  threats,
  type NewThreat,
  type Threat,
  type ThreatChange,
  type ThreatDetail,
} from '@riskboard/contract';
import type { z } from 'zod';
import { call } from './api/call.ts';
import { formatCount } from './format/format.ts';
import { ifMatch, moment, withoutAssets, type RecordKind } from './record-kind.ts';
import { loadSchemas } from './schemas.ts';

type New = z.input<typeof NewThreat>;
type Change = z.input<typeof ThreatChange>;
type Bulk = z.input<typeof threats.updateMany.body>['change'];

const emptyThreat: Omit<Threat, '_id' | 'name' | 'createdAt' | 'updatedAt'> = {
  description: '',
  threatID: '',
  kind: '',
  threatTypeId: null,
  threatCategory: '',
  motivation: null,
  capability: null,
  likelihood: null,
  impact: null,
  riskLevel: null,
  riskLevelSource: '',
  isActive: true,
  sourceFile: '',
  withdrawn: null,
};

export const threatKind: RecordKind<ThreatDetail, New, Change, Bulk> = {
  noun: 'threats',
  texts: {
    created: 'Threat created',
    createFailed: 'Error: Failed to create threat. Please try again.',
    updated: 'Threat updated',
    updateFailed: 'Error: Failed to update threat. Please try again.',
    deleted: 'Threat deleted',
    deleteFailed: 'Error: Failed to delete threat. Please try again.',
    deletedMany: (count) => ['Threats deleted', `${formatCount(count)} threats were successfully deleted.`],
    deleteManyFailed: ['Error: Failed to delete threats. Please try again.'],
    updatedMany: 'Threats updated',
    updateManyFailed: 'Error: Failed to update threats. Please try again.',
    restored: 'Threat restored',
    restoredMany: 'Threats restored',
    restoreFailed: 'Error: Failed to restore threat. Please try again.',
  },
  async preview(body) {
    const read = (await loadSchemas())?.NewThreat.safeParse(body);
    if (read?.success !== true) return undefined;
    const now = moment();
    return { ...emptyThreat, ...withoutAssets(read.data), createdAt: now, updatedAt: now };
  },
  async fields(change) {
    const read = (await loadSchemas())?.ThreatChange.safeParse(change);
    return read?.success === true ? withoutAssets(read.data) : undefined;
  },
  create: (body) => call(threats.create, { body }),
  update: ({ id, change, version }) =>
    call(threats.update, { params: { id }, body: change, ...ifMatch(version) }),
  remove: (id) => call(threats.delete, { params: { id } }),
  removeMany: (selection) => call(threats.deleteMany, { body: selection }),
  updateMany: (selection, change) => call(threats.updateMany, { body: { ...selection, change } }),
  restore: (ids) => call(threats.restore, { body: { ids } }),
};
