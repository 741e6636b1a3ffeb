import type { Related } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { pagesOf } from '../../lib/entity/entity.ts';
import { linkStyle, loneLinkStyle } from '../button/link-style.ts';
import { Card } from '../layout/card.tsx';

interface RelatedAssetsProps {
  assets: readonly Related[];
  total: number;
  /** The filter of the list of assets that selects all of them. */
  filter: { threatId: string } | { vulnerabilityId: string };
}

/** The assets that a record is related to: the first by name, and a link to the list of all. */
export function RelatedAssets({ assets, total, filter }: RelatedAssetsProps) {
  return (
    <Card
      title="Related assets"
      actions={
        total > 1 && (
          <Link to="/dashboard/assets" search={filter} className={`${loneLinkStyle} tabular-nums`}>
            All {formatCount(total)} assets
          </Link>
        )
      }
    >
      {assets.length === 0 && <p className="p-4 text-sm text-muted">No related assets.</p>}
      <ul className="max-h-96 divide-y overflow-y-auto">
        {assets.map(({ _id, name, description }) => (
          <li key={_id} className="flex items-start gap-3 px-4 py-2">
            <Boxes aria-hidden size={16} className="mt-0.5 shrink-0 text-muted" />
            <div className="min-w-0">
              <Link
                to={pagesOf('assets').detail}
                params={{ id: _id }}
                className={`${linkStyle} font-medium break-words`}
              >
                {name}
              </Link>
              {description !== '' && <p className="line-clamp-2 text-sm text-muted">{description}</p>}
            </div>
          </li>
        ))}
      </ul>
      {total > assets.length && (
        <p className="border-t px-4 py-2 text-sm text-muted">First {formatCount(assets.length)} by name</p>
      )}
    </Card>
  );
}
