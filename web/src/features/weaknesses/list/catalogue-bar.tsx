import type { Catalogue } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { CweNotice } from '../../../ui/cwe/cwe-notice.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { Day, Time } from '../../../ui/text/time.tsx';
import { catalogueQuery } from '../queries.ts';

// Loaded after the page, to keep it within its budget.
const CatalogueActions = lazyPart(async () => (await import('./catalogue-actions.tsx')).CatalogueActions);

const origins = {
  bundled: 'Included in Riskboard',
  api: 'Fetched from MITRE',
  upload: 'Uploaded',
} as const satisfies Record<Catalogue['origin'], string>;

function Facts({ catalogue }: { catalogue: Catalogue }) {
  const { version, releasedOn, origin, storedAt, weaknesses, categories, views } = catalogue;
  return (
    <div className="min-w-0">
      <p className="font-medium">
        CWE {version}
        {releasedOn !== null && (
          <span className="font-normal text-muted">
            , released <Day value={releasedOn} />
          </span>
        )}
      </p>
      <p className="text-sm text-muted">
        {plural(weaknesses, 'weakness', 'weaknesses')}, {plural(categories, 'category', 'categories')},{' '}
        {plural(views, 'view')} · {origins[origin]} <Time value={storedAt} />
      </p>
    </div>
  );
}

/** The catalogue in use: its version and origin, MITRE's notice, and for owners how to change it. */
export function CatalogueBar() {
  const { data: catalogue, error, isFetching, refetch } = useQuery(catalogueQuery());
  return (
    <section aria-label="Catalogue" className="mb-4 flex flex-col gap-2 rounded border bg-surface px-4 py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {catalogue === undefined && error === null && <Skeleton width="40%" />}
        {catalogue === undefined && error !== null && (
          <ErrorState
            title="Failed to load the catalogue"
            error={error}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {catalogue !== undefined && (
          <>
            <Facts catalogue={catalogue} />
            <CatalogueActions catalogue={catalogue} />
          </>
        )}
      </div>
      {catalogue !== undefined && <CweNotice source={`CWE ${catalogue.version}`} notice={catalogue.notice} />}
    </section>
  );
}
