import { assetList, assets } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

/** The assets of one project. */
export const projectAssetsSource = (projectId: string) =>
  defineListSource({
    route: '/dashboard/projects/$id',
    noun: 'assets',
    list: assetList,
    sort: '-riskScore',
    calls: { list: assets.list, facets: assets.facets, export: assets.export },
    base: { projectId },
    rows: (reply) => reply.assets,
  });
export type ProjectAssetsSource = ReturnType<typeof projectAssetsSource>;
export type ProjectAssetsSearch = StateOf<ProjectAssetsSource>;
