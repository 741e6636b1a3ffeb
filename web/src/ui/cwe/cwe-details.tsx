import { cwe, type Cwe } from '@riskboard/contract';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { ExternalLink, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../lib/api/errors.ts';
import { call } from '../../lib/api/call.ts';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';
import { Badge } from '../badge/badge.tsx';
import { linkStyle } from '../button/link-style.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { CweNotice } from './cwe-notice.tsx';
import { CweRelated } from './cwe-related.tsx';

interface CweDetailsProps {
  value: string;
  onOpen: (value: string) => void;
}

/** Details of a weakness from the catalogue, or a message without any (spec 8, CWE lookup). */
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

/** Skeleton of the fields. */
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
      <CweMore weakness={weakness} />
      <footer className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-t px-4 py-3">
        <a href={weakness.url} target="_blank" rel="noopener noreferrer" className={linkStyle}>
          CWE-{weakness.ID} at MITRE
          <ExternalLink aria-hidden size={12} className="ml-1 inline" />
          <span className="sr-only"> (opens a new window)</span>
        </a>
        <Link to="/dashboard/weaknesses/$id" params={{ id: weakness.ID }} className={linkStyle}>
          Open page
        </Link>
        <div className="basis-full">
          <CweNotice source={weakness.source} notice={weakness.notice} />
        </div>
      </footer>
    </>
  );
}

/** What else the page of the weakness shows, in short. */
function CweMore({ weakness: { ID, Mitigations, MappingNotes, note, vulnerabilities } }: { weakness: Cwe }) {
  const phases = [...new Set(Mitigations.flatMap(({ Phase }) => Phase))];
  const count = `${formatCount(vulnerabilities.total)}${vulnerabilities.totalIsCapped ? '+' : ''}`;
  const facts = [
    ['Mapping', MappingNotes.Usage],
    ['Mitigations', Mitigations.length === 0 ? '' : [formatCount(Mitigations.length), ...phases].join(' · ')],
    ['Technical impacts', note],
  ] as const;
  return (
    <dl aria-label="More about the weakness" className="flex flex-col gap-2 border-t p-4 text-sm">
      {facts.map(
        ([label, text]) =>
          text !== '' && (
            <div key={label} className="grid grid-cols-[128px_1fr] gap-2">
              <dt className="text-xs leading-5 text-muted">{label}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
      <div className="grid grid-cols-[128px_1fr] gap-2">
        <dt className="text-xs leading-5 text-muted">Your vulnerabilities</dt>
        <dd>
          {vulnerabilities.total === 0 ? (
            '0'
          ) : (
            <Link to="/dashboard/vulnerabilities" search={{ cwe: [`CWE-${ID}`] }} className={linkStyle}>
              {count} with CWE-{ID}
            </Link>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Consequences of a weakness: scope, impact and note. */
function CweConsequences({ consequences }: { consequences: Cwe['Consequences'] }) {
  if (consequences.length === 0) return null;
  return (
    <section aria-label="Common consequences" className="border-t p-4">
      <h3 className="mb-2 text-sm font-semibold">Common consequences</h3>
      <ul className="flex flex-col gap-3">
        {consequences.map(({ Scope, Impact, Note }) => (
          <li key={`${Scope.join()} ${Impact.join()} ${Note}`} className="flex flex-col gap-1 text-sm">
            <span className="flex flex-wrap gap-1">
              {Scope.map((scope) => (
                <Badge key={scope}>{scope}</Badge>
              ))}
            </span>
            <span>{Impact.join(', ')}</span>
            {Note !== '' && <span className="text-muted">{Note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Milliseconds after which a missing weakness is requested again; found ones are cached for good. */
const absentFor = 5 * 60_000;

/** Ids to request, in order: the value as given, its digits only, 'CWE-' and its digits (spec 7). */
export function cweForms(value: string): string[] {
  const digits = value.replaceAll(/\D/gu, '');
  const forms = digits === '' ? [value] : [value, digits, `CWE-${digits}`];
  return [...new Set(forms)].filter((form) => form.trim() !== '');
}

/** Whether it is a record, and not what wraps one. */
function isCwe(value: unknown): value is Cwe {
  const { ID, Name, Weaknesses, Consequences } = (value ?? {}) as Partial<Cwe>;
  return (
    typeof ID === 'string' && typeof Name === 'string' && [Weaknesses, Consequences].every(Array.isArray)
  );
}

/** The record of a reply, which may sit under cwe, item or data (spec 7). */
export function cweIn(reply: unknown): Cwe | undefined {
  const wrapped = (reply ?? {}) as { cwe?: unknown; item?: unknown; data?: unknown };
  for (const candidate of [reply, wrapped.cwe, wrapped.item, wrapped.data]) {
    if (isCwe(candidate)) return candidate;
  }
  return undefined;
}

async function ask(id: string, signal: AbortSignal): Promise<Cwe | undefined> {
  try {
    return cweIn(await call(cwe.get, { params: { id }, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Details of a weakness, cached by the requested value; null when the catalogue has no entry. */
const cweQuery = (value: string) =>
  queryOptions({
    queryKey: ['cwe', value],
    async queryFn({ signal }) {
      for (const form of cweForms(value)) {
        const found = await ask(form, signal);
        if (found !== undefined) return found;
      }
      return null;
    },
    staleTime: ({ state }) => (state.data === null ? absentFor : Infinity),
    gcTime: Infinity,
  });
