import type { Cwe } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { SeverityBadge } from '../../../ui/badge/badge.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { Card } from '../../../ui/layout/card.tsx';

/** The organization's vulnerabilities that carry the entry: how many, and the most severe ones. */
export function YourVulnerabilities({ weakness: { ID, vulnerabilities } }: { weakness: Cwe }) {
  const { total, totalIsCapped, items } = vulnerabilities;
  const count = `${formatCount(total)}${totalIsCapped ? '+' : ''}`;
  return (
    <Card
      label="Your vulnerabilities"
      title={
        <>
          Your vulnerabilities <span className="font-normal text-muted tabular-nums">{count}</span>
        </>
      }
    >
      {items.length === 0 ? (
        <p className="p-4 text-sm text-muted">No vulnerability carries CWE-{ID}.</p>
      ) : (
        <>
          <ul className="divide-y">
            {items.map(({ _id: id, name, severity }) => (
              <li key={id} className="flex items-center justify-between gap-3 px-4 py-2 text-sm">
                <Link
                  to="/dashboard/vulnerabilities/$id"
                  params={{ id }}
                  className="line-clamp-2 min-w-0 wrap-anywhere hover:text-accent-text hover:underline"
                >
                  {name}
                </Link>
                <span className="shrink-0">
                  <SeverityBadge score={severity} />
                </span>
              </li>
            ))}
          </ul>
          <p className="border-t px-4 py-2">
            <Link to="/dashboard/vulnerabilities" search={{ cwe: [`CWE-${ID}`] }} className={loneLinkStyle}>
              Show all {count} in the list
            </Link>
          </p>
        </>
      )}
    </Card>
  );
}
