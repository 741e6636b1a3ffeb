import { formatCount, plural } from '@riskboard/domain';
import type { RelatedRecords } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pagesOf } from '../../lib/entity/entity.ts';
import { relatedQuery } from '../../lib/entity/queries.ts';
import { linkStyle } from '../button/link-style.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Card } from '../layout/card.tsx';
import { useImportableRecord } from './facts.tsx';
import { RecordBadge } from './suggestions/record-badge.tsx';

type RelatedRecord = RelatedRecords['related'][number];

/**
 * Vulnerabilities that reports relate a threat to, or threats that they relate a vulnerability to, each with the type of the
 * relation and the reports that state it; nothing without any.
 */
export function ReportedRelations() {
  const { entity, record } = useImportableRecord();
  const query = useQuery({ ...relatedQuery(entity, record._id), enabled: record.imported });
  const noun = entity.noun === 'threats' ? 'vulnerabilities' : 'threats';
  const title = `Related ${noun}`;
  const { data, error } = query;
  if (data === undefined && error !== null)
    return (
      <Card title={title}>
        <ErrorState
          title={`Failed to load related ${noun}.`}
          error={error}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      </Card>
    );
  if (data === undefined || data.total === 0) return null;
  const { related, total } = data;
  return (
    <Card
      title={title}
      actions={<span className="text-sm text-muted tabular-nums">{formatCount(total)}</span>}
    >
      <ul className="max-h-96 divide-y overflow-y-auto">
        {related.map((one) => (
          <li key={one._id} className="px-4 py-2">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                to={pagesOf(noun).detail}
                params={{ id: one._id }}
                className={`${linkStyle} min-w-0 font-medium break-words`}
              >
                {one.name}
              </Link>
              <RecordBadge noun={noun} score={one.score} />
            </p>
            <Relations {...one} />
          </li>
        ))}
      </ul>
      {total > related.length && (
        <p className="border-t px-4 py-2 text-sm text-muted">First {formatCount(related.length)} by name</p>
      )}
    </Card>
  );
}

/** 'exploits · first.json, second.json' for each type of relation. */
function Relations({ relations, relationTotal }: RelatedRecord) {
  const types = [...new Set(relations.map(({ type }) => type))];
  const more = relationTotal - relations.length;
  return (
    <>
      {types.map((type) => (
        <p key={type} className="text-sm break-words text-muted">
          {type} ·{' '}
          {relations
            .filter((one) => one.type === type)
            .map(({ fileId, file }, n) => (
              <span key={fileId}>
                {n > 0 && ', '}
                <Link
                  to="/dashboard/reports/$fileId"
                  params={{ fileId }}
                  className={`${linkStyle} break-all`}
                >
                  {file}
                </Link>
              </span>
            ))}
        </p>
      ))}
      {more > 0 && <p className="text-sm text-muted">{plural(more, 'more relation')}</p>}
    </>
  );
}
