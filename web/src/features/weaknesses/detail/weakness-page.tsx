import type { Cwe } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNamedPage } from '../../../lib/browser/page-name.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { linkStyle } from '../../../ui/button/link-style.ts';
import { CweNotice } from '../../../ui/cwe/cwe-notice.tsx';
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { DetailColumns } from '../../../ui/layout/detail-columns.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Prose } from '../../../ui/record/prose.tsx';
import { RecordLoading } from '../../../ui/record/record-status.tsx';
import { Maybe } from '../../../ui/text/empty.tsx';
import { weaknessQuery } from '../queries.ts';
import { Consequences } from './consequences.tsx';
import { Mitigations } from './mitigations.tsx';
import { RelatedCards } from './related-cards.tsx';
import { YourVulnerabilities } from './your-vulnerabilities.tsx';

const kinds = { weakness: 'Weakness', category: 'Category', view: 'View' } as const;

/** What to know before an entry is used for a vulnerability; undefined when nothing is special about it. */
function noticeOf({ kind, Status, MappingNotes: { Usage, Rationale } }: Cwe): string | undefined {
  if (Status === 'Deprecated')
    return 'MITRE has deprecated this entry. Its description may name the one that replaces it.';
  if (kind === 'category')
    return 'A category groups weaknesses. MITRE prohibits mapping vulnerabilities to it.';
  if (kind === 'view') return 'A view arranges the catalogue. MITRE prohibits mapping vulnerabilities to it.';
  if (Usage === 'Prohibited' || Usage === 'Discouraged')
    return `Mapping vulnerabilities to this weakness is ${Usage.toLowerCase()}. ${Rationale}`.trim();
  return undefined;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[128px_minmax(0,1fr)] gap-3 px-4 py-2">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-sm wrap-anywhere">{children}</dd>
    </div>
  );
}

function Facts({ weakness }: { weakness: Cwe }) {
  const { kind, Abstraction, Structure, Status, Likelihood, MappingNotes, technicalImpacts, note } = weakness;
  return (
    <Card title="Facts">
      <dl className="divide-y">
        <Fact label="ID">CWE-{weakness.ID}</Fact>
        <Fact label="Kind">{kinds[kind]}</Fact>
        {kind === 'weakness' && (
          <>
            <Fact label="Abstraction">
              <Maybe text={Abstraction} />
            </Fact>
            <Fact label="Structure">
              <Maybe text={Structure} />
            </Fact>
          </>
        )}
        <Fact label="Status">
          <Maybe text={Status} />
        </Fact>
        {kind === 'weakness' && (
          <Fact label="Likelihood">
            <Maybe text={Likelihood} />
          </Fact>
        )}
        <Fact label="Mapping">
          <Maybe text={MappingNotes.Usage} />
        </Fact>
        <Fact label="Technical impacts">
          {technicalImpacts.length === 0 ? (
            <Maybe text="" />
          ) : (
            <ul className="flex flex-col gap-1">
              {technicalImpacts.map((impact) => (
                <li key={impact}>{impact}</li>
              ))}
            </ul>
          )}
          {note !== '' && <p className="mt-1 text-xs text-muted">{note}</p>}
        </Fact>
        <Fact label="Source">{weakness.source}</Fact>
      </dl>
    </Card>
  );
}

function Description({ weakness }: { weakness: Cwe }) {
  const { Description: text, ExtendedDescription, MappingNotes } = weakness;
  return (
    <Card title={weakness.kind === 'view' ? 'Objective' : 'Description'}>
      <div className="flex flex-col gap-4 p-4">
        <p className="max-w-[80ch]">
          <Maybe text={text} />
        </p>
        {ExtendedDescription !== '' && <Prose text={ExtendedDescription} label="the extended description" />}
        {MappingNotes.Comments !== '' && (
          <div>
            <h3 className="mb-1 text-sm font-semibold">Mapping note</h3>
            <p className="max-w-[80ch] text-sm text-muted">
              {MappingNotes.Rationale} {MappingNotes.Comments}
            </p>
          </div>
        )}
      </div>
    </Card>
  );
}

function Found({ weakness }: { weakness: Cwe }) {
  const notice = noticeOf(weakness);
  return (
    <>
      <PageHeader
        title={
          <>
            <span className="tabular-nums">CWE-{weakness.ID}</span> {weakness.Name}
          </>
        }
        description={
          <span className="mt-1 flex flex-wrap items-center gap-2">
            <Badge tone="info">{weakness.Abstraction}</Badge>
            {weakness.Status !== '' && (
              <Badge tone={weakness.Status === 'Deprecated' ? 'warning' : 'neutral'}>{weakness.Status}</Badge>
            )}
            {weakness.Likelihood !== '' && <Badge>Likelihood of exploit: {weakness.Likelihood}</Badge>}
          </span>
        }
        actions={
          <a href={weakness.url} target="_blank" rel="noopener noreferrer" className={linkStyle}>
            CWE-{weakness.ID} at MITRE
            <ExternalLink aria-hidden size={12} className="ml-1 inline" />
            <span className="sr-only"> (opens a new window)</span>
          </a>
        }
      />
      {notice !== undefined && (
        <div className="mb-4">
          <Notice tone="warning">{notice}</Notice>
        </div>
      )}
      <DetailColumns
        side={
          <>
            <YourVulnerabilities weakness={weakness} />
            <Facts weakness={weakness} />
          </>
        }
      >
        <Description weakness={weakness} />
        <Consequences consequences={weakness.Consequences} />
        <Mitigations mitigations={weakness.Mitigations} />
        <RelatedCards weakness={weakness} />
      </DetailColumns>
      <footer className="mt-4">
        <CweNotice source={weakness.source} notice={weakness.notice} />
      </footer>
    </>
  );
}

/** The page of a weakness, category or view. */
export function WeaknessPage({ id }: { id: string }) {
  const query = useQuery(weaknessQuery(id));
  const { data: weakness } = query;
  useNamedPage(weakness && `CWE-${weakness.ID}`);
  if (weakness !== undefined) return <Found weakness={weakness} />;
  if (query.error === null) return <RecordLoading />;
  return (
    <LoadFailed
      heading="Weakness"
      title="Error Loading Weakness"
      missing={`No details found for ${id}`}
      query={query}
      list={{ to: '/dashboard/weaknesses', label: 'All weaknesses' }}
    />
  );
}
