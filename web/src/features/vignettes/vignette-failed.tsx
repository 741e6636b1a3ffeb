import { LoadFailed } from '../../ui/feedback/load-failed.tsx';

/** The page that lists all vignettes. */
export const vignetteList = { to: '/dashboard/reports/vignettes', label: 'Show all vignettes' } as const;

interface VignetteFailedProps {
  /** The query that failed. */
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
}

/** Instead of the page of a vignette that could not be loaded. */
export const VignetteFailed = ({ query }: VignetteFailedProps) => (
  <LoadFailed
    heading="Vignette"
    title="Error Loading Vignette"
    missing="This vignette does not exist, or it was deleted."
    query={query}
    list={vignetteList}
  />
);
