import type { AssetDetail } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RiskBadge, SeverityBadge } from '../../../ui/badge/badge.tsx';
import { StatusBadge } from '../../../ui/badge/status-badge.tsx';
import { linkStyle, loneLinkStyle } from '../../../ui/button/link-style.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { RelateButtons } from '../relating/relate-buttons.tsx';
import type { RelatedNoun } from '../relating/relations.ts';
import { RemoveRelation } from '../relating/remove-relation.tsx';

/** Records of each kind on the page; the filtered list has all. */
const mostShown = 8;

const recordLink = `${linkStyle} min-w-0 break-words`;

interface ScenarioRecord {
  _id: string;
  name: string;
  description: string;
}

interface ScenarioProps<Row extends ScenarioRecord> {
  title: string;
  /** Worst first. */
  rows: readonly Row[];
  count: number;
  none: string;
  all: ReactNode;
  Item: (props: { record: Row }) => ReactNode;
  assetId: string;
  noun: RelatedNoun;
}

function Scenario<Row extends ScenarioRecord>({
  title,
  rows,
  count,
  none,
  all,
  Item,
  assetId,
  noun,
}: ScenarioProps<Row>) {
  return (
    <section aria-label={title} data-peers="" tabIndex={-1} className="min-w-0">
      <header className="flex min-h-10 items-center justify-between gap-3 px-4 pt-2">
        <h3 className="text-sm font-medium text-muted">
          {title} <span className="tabular-nums">{formatCount(count)}</span>
        </h3>
        {count > 0 && all}
      </header>
      {rows.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-muted">{none}</p>
      ) : (
        <ul className="divide-y">
          {rows.slice(0, mostShown).map((one) => (
            <li key={one._id} className="flex items-center gap-2 py-2 pr-2 pl-4">
              <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <Item record={one} />
              </div>
              <RemoveRelation assetId={assetId} noun={noun} record={one} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ThreatItem({ record: { _id, name, riskLevel } }: { record: AssetDetail['threats'][number] }) {
  return (
    <>
      <Link to="/dashboard/threats/$id" params={{ id: _id }} className={recordLink}>
        {name}
      </Link>
      <RiskBadge level={riskLevel} />
    </>
  );
}

function VulnerabilityItem({ record }: { record: AssetDetail['vulnerabilities'][number] }) {
  const { _id, name, severity, cvssScore, status } = record;
  return (
    <>
      <Link to="/dashboard/vulnerabilities/$id" params={{ id: _id }} className={recordLink}>
        {name}
      </Link>
      <span className="flex items-center gap-2">
        <SeverityBadge score={cvssScore ?? severity} />
        <StatusBadge status={status} />
      </span>
    </>
  );
}

/** What threatens an asset and through which weaknesses: related threats and vulnerabilities, worst first (spec 2). */
export function ThreatScenario({ detail }: { detail: AssetDetail }) {
  const { _id: assetId, threats, threatCount, vulnerabilities, vulnerabilityCount } = detail;
  return (
    <Card title="Threat scenario" actions={<RelateButtons detail={detail} />}>
      <div className="grid divide-y xl:grid-cols-2 xl:divide-x xl:divide-y-0">
        <Scenario
          title="Related threats"
          rows={threats}
          count={threatCount}
          none="No related threats."
          all={
            <Link to="/dashboard/threats" search={{ assetId }} className={loneLinkStyle}>
              Show {plural(threatCount, 'threat')}
            </Link>
          }
          Item={ThreatItem}
          assetId={assetId}
          noun="threats"
        />
        <Scenario
          title="Related vulnerabilities"
          rows={vulnerabilities}
          count={vulnerabilityCount}
          none="No related vulnerabilities."
          all={
            <Link to="/dashboard/vulnerabilities" search={{ assetId }} className={loneLinkStyle}>
              Show {plural(vulnerabilityCount, 'vulnerability', 'vulnerabilities')}
            </Link>
          }
          Item={VulnerabilityItem}
          assetId={assetId}
          noun="vulnerabilities"
        />
      </div>
    </Card>
  );
}
