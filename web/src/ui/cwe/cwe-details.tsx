import type { Cwe } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cweQuery } from '../../lib/cwe.ts';
import { messageOf } from '../../lib/api/message-of.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { linkStyle } from '../button/link-style.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { CweConsequences } from './cwe-consequences.tsx';
import { CweRelated } from './cwe-related.tsx';

interface CweDetailsProps {
  value: string;
  onOpen: (value: string) => void;
}

/** What the catalogue says of a weakness, or that it says nothing (spec 8, CWE lookup). */
export function CweDetails({ value, onOpen }: CweDetailsProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(cweQuery(value));
  const slow = useDelayed(isPending);
  if (error !== null) {
    return (
      <ErrorState
        title={`Error: ${messageOf(error, 'An unexpected error occurred.')}`}
        error={'requestId' in error ? { requestId: error.requestId } : null}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (isPending) return slow && <Loading />;
  if (data === null) {
    return <EmptyState icon={<SearchX aria-hidden size={20} />} title={`No details found for ${value}`} />;
  }
  return <Found weakness={data} onOpen={onOpen} />;
}

const fields = [
  ['ID', (weakness: Cwe) => weakness.ID, ''],
  ['Status', (weakness: Cwe) => weakness.Status, ''],
  ['Name', (weakness: Cwe) => weakness.Name, 'col-span-2 font-medium'],
  ['Abstraction', (weakness: Cwe) => weakness.Abstraction, ''],
  ['Structure', (weakness: Cwe) => weakness.Structure, ''],
  ['Likelihood', (weakness: Cwe) => weakness.Likelihood, 'col-span-2'],
  ['Description', (weakness: Cwe) => weakness.Description, 'col-span-2'],
] as const;

/** The fields where they will stand. */
function Frame({ children }: { children: (field: (typeof fields)[number]) => ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 p-4">
      {fields.map((field) => {
        const [label, , style] = field;
        return (
          <div key={label} className={style.startsWith('col-span-2') ? 'col-span-2' : ''}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className={style.replace('col-span-2', '')}>{children(field)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function Loading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading</output>
      <Frame>{([label]) => <Skeleton width={label === 'Description' ? '90%' : '50%'} />}</Frame>
    </div>
  );
}

function Found({ weakness, onOpen }: { weakness: Cwe; onOpen: (value: string) => void }) {
  return (
    <>
      <Frame>{([, read]) => read(weakness) || <span className="text-muted">N/A</span>}</Frame>
      <CweRelated weaknesses={weakness.Weaknesses} onOpen={onOpen} />
      <CweConsequences consequences={weakness.Consequences} />
      <footer className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-t px-4 py-3">
        <a href={weakness.url} target="_blank" rel="noopener noreferrer" className={linkStyle}>
          CWE-{weakness.ID} at MITRE
          <ExternalLink aria-hidden size={12} className="ml-1 inline" />
          <span className="sr-only"> (opens a new window)</span>
        </a>
        <small className="text-xs text-muted">{weakness.source}, © The MITRE Corporation</small>
      </footer>
    </>
  );
}
