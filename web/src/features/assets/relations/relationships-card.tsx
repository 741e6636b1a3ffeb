import type { AssetDetail } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Network } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { Button } from '../../../ui/button/button.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { EditLink } from '../../../ui/record/record-links.tsx';
import { asset } from '../asset.ts';
import { HierarchyTree } from './hierarchy-tree.tsx';
import { hierarchyQuery } from './queries.ts';

type Detail = Pick<AssetDetail, '_id' | 'parentAssets' | 'parentAssetTotal'>;

/** What an asset depends on, as a tree, and what depends on it (spec 2, Asset relationships). */
export function RelationshipsCard({ detail }: { detail: Detail }) {
  return (
    <Card title="Relationships">
      <Relationships detail={detail} />
    </Card>
  );
}

function Relationships({ detail: { _id: id, parentAssets, parentAssetTotal } }: { detail: Detail }) {
  const { data, error, isFetching, refetch } = useQuery(hierarchyQuery(id));
  if (data === undefined && error !== null) {
    return (
      <ErrorState
        title="Failed to load asset hierarchy"
        error={error}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) {
    return (
      <div className="p-4">
        <Skeleton />
      </div>
    );
  }
  const { children } = data;
  if (children.length === 0 && parentAssets.length === 0) {
    return (
      <EmptyState
        icon={<Network aria-hidden size={20} />}
        title="No relationships"
        description="Relate the assets that it depends on to see what a failure reaches."
        action={<EditLink entity={asset} id={id} label="Relate assets" />}
      />
    );
  }
  return (
    <div className="grid divide-y 2xl:grid-cols-2 2xl:divide-x 2xl:divide-y-0">
      <Part title="Depends on" count={children.length} empty="It depends on no other asset.">
        <HierarchyTree label="Depends on" root={children} />
      </Part>
      <Part title="Required by" count={parentAssetTotal} empty="No other asset depends on it.">
        <Parents id={id} assets={parentAssets} total={parentAssetTotal} />
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  count: number;
  empty: string;
  children: ReactNode;
}

function Part({ title, count, empty, children }: PartProps) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="flex items-baseline gap-2 px-4 pt-3 text-sm font-medium text-muted">
        {title}
        <span className="tabular-nums">{formatCount(count)}</span>
      </h3>
      {count === 0 ? <p className="px-4 py-3 text-sm text-muted">{empty}</p> : children}
    </section>
  );
}

/** Links that are shown before the button that shows all. */
const fewParents = 100;

interface ParentsProps {
  id: string;
  assets: Detail['parentAssets'];
  total: number;
}

function Parents({ id, assets, total }: ParentsProps) {
  const [all, setAll] = useState(false);
  const shown = all ? assets : assets.slice(0, fewParents);
  return (
    <div className="max-h-96 overflow-y-auto p-2">
      <ul>
        {shown.map(({ _id, name }) => (
          <li key={_id} className="flex min-h-8 items-center rounded px-2 text-sm hover:bg-hover">
            <Link
              to={pagesOf('assets').detail}
              params={{ id: _id }}
              title={name}
              className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < assets.length && (
        <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
          Show {total > assets.length ? 'the first' : 'all'} {plural(assets.length, 'asset')}
        </Button>
      )}
      {all && total > assets.length && (
        <p className="px-2 py-1 text-sm text-muted">First {formatCount(assets.length)} by name</p>
      )}
      {total > fewParents && (
        <Link to="/dashboard/assets" search={{ dependsOn: id }} className={`${loneLinkStyle} px-2 text-sm`}>
          All {plural(total, 'asset')}
        </Link>
      )}
    </div>
  );
}
