import { useQuery } from '@tanstack/react-query';
import { Boxes, Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { Entity } from '../../../lib/entity/entity.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { AssetRiskBadge, HealthBadge } from '../../../ui/badge/asset-badge.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { entityColumns, valueLabels } from '../../../ui/record/entity-columns.tsx';
import { ImportLink } from '../../../ui/record/import-link.tsx';
import { NameCell } from '../../../ui/record/record-links.tsx';
import { projectAssetsSource, type ProjectAssetsSearch } from './project-assets-source.ts';

const viewOf = (projectId: string, asset: Entity) => {
  const source = projectAssetsSource(projectId);
  return defineListView(source, {
    label: 'Assets of the project',
    nouns: asset,
    row: { id: (row) => row._id, name: (row) => row.name },
    columns: entityColumns(
      { fields: source.fields, entity: asset },
      {
        columns: [
          { field: 'name', rowHeader: true, cell: (row) => <NameCell noun="assets" row={row} /> },
          { field: 'assetTypeId', from: 'sm', width: 104 },
          { field: 'criticality', from: 'md', width: 112 },
          {
            field: 'riskScore',
            align: 'left',
            width: 144,
            cell: (row) => <AssetRiskBadge score={row.riskScore} />,
          },
          { field: 'health', width: 112, cell: (row) => <HealthBadge health={row.health} /> },
          { field: 'threatCount', from: 'md' },
          { field: 'vulnerabilityCount', from: 'md', width: 128 },
        ],
        without: ['status', 'projectId'],
      },
    ),
    filters: ['health', 'riskScore', 'assetTypeId', 'criticality', 'threatCount', 'vulnerabilityCount'],
    labels: valueLabels(asset),
    saved: false,
    texts: { search: 'Search assets', empty: 'No assets found.', failure: 'Failed to load assets.' },
  });
};

interface ProjectAssetsProps {
  projectId: string;
  /** The entity of the assets, from the feature that owns it. */
  asset: Entity;
  search: ProjectAssetsSearch;
  onSearch: (search: ProjectAssetsSearch, how?: HowChanged) => void;
}

function AddAssets({ projectId, asset }: Pick<ProjectAssetsProps, 'projectId' | 'asset'>) {
  return (
    <div className="flex flex-wrap gap-2">
      <ImportLink noun="assets" projectId={projectId} />
      <LinkButton
        to="/dashboard/assets/new"
        search={{ projectId }}
        icon={<Plus aria-hidden size={16} />}
        disabledReason={useRefusal(asset.calls.create.access)}
      >
        New asset
      </LinkButton>
    </div>
  );
}

/** The assets of a project, those with the highest risk score first. */
export function ProjectAssets({ projectId, asset, search, onSearch }: ProjectAssetsProps) {
  const view = useMemo(() => viewOf(projectId, asset), [projectId, asset]);
  const query = useQuery(view.query(search));
  return (
    <section aria-label="Assets" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">Assets</h2>
        <AddAssets projectId={projectId} asset={asset} />
      </div>
      <ListPage
        view={view}
        query={query}
        search={search}
        onSearch={onSearch}
        empty={{
          icon: <Boxes aria-hidden size={20} />,
          description: 'Assets that you create in this project appear here.',
        }}
      />
    </section>
  );
}
