import type { Vignette } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/text/time.tsx';

/** Versions that are shown at first. */
const firstVersions = 8;

interface VersionsCardProps {
  vignette: Vignette;
  /** The version on the page. */
  shown: number;
}

/** Versions of a vignette, newest first, with who saved them and when; each leads to its content. */
export function VersionsCard({ vignette, shown }: VersionsCardProps) {
  const [all, setAll] = useState(false);
  const { _id: id, version: newest, versions } = vignette;
  const listed = all ? versions : versions.slice(0, firstVersions);
  const hidden = newest - versions.length;
  return (
    <Card title="Versions">
      <ol className="divide-y">
        {listed.map(({ version, at, by }) => (
          <li
            key={version}
            className={`flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5 px-4 py-2 text-sm ${version === shown ? 'bg-hover' : ''}`}
          >
            <span className="flex items-center gap-2">
              <Link
                to="/dashboard/reports/vignettes/$id"
                params={{ id }}
                search={version === newest ? {} : { version }}
                aria-current={version === shown ? 'true' : undefined}
                resetScroll={false}
                className="rounded font-medium tabular-nums hover:text-accent-text hover:underline"
              >
                Version {version}
              </Link>
              {version === newest && <Badge tone="info">Newest</Badge>}
            </span>
            <span className="text-muted">
              {by !== '' && `${by}, `}
              <Time value={at} />
            </span>
          </li>
        ))}
      </ol>
      {versions.length > firstVersions && (
        <div className="border-t px-2 py-1">
          <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${formatCount(versions.length)}`}
          </Button>
        </div>
      )}
      {all && hidden > 0 && (
        <p className="border-t px-4 py-2 text-xs text-muted tabular-nums">
          The {formatCount(hidden)} oldest versions are not listed.
        </p>
      )}
    </Card>
  );
}
