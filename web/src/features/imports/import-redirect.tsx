import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { LoadFailed } from '../../ui/feedback/load-failed.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { missingText, missingTitle } from './import-labels.ts';
import { importPages } from './import-search.ts';
import { importQuery } from './queries.ts';

/** Opens an import whose noun the link does not know, such as that of a job. */
export function ImportRedirect({ id }: { id: string }) {
  const query = useQuery(importQuery(id));
  if (query.data !== undefined)
    return <Navigate to={importPages[query.data.noun]} search={{ import: id }} replace />;
  if (query.error === null) return <Skeleton width="40%" />;
  return (
    <LoadFailed
      heading="CSV import"
      title={missingTitle(query.error)}
      missing={missingText}
      query={query}
      list={{ to: '/dashboard/jobs', label: 'All jobs' }}
    />
  );
}
