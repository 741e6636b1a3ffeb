import { useMatches } from '@tanstack/react-router';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Spinner } from '../../ui/feedback/spinner.tsx';

/** Widths of the lines, so that they look like rows and not like a wall. */
const lines = ['46%', '62%', '38%', '54%', '70%', '42%', '58%', '50%'] as const;

/** Whether rail and top bar are there: what is pending then stands between them. */
const isFramed = (matches: readonly { routeId: string; status: string }[]): boolean =>
  matches.some(({ routeId, status }) => routeId === '/dashboard' && status === 'success');

/** While a page is on its way for longer than 150 ms. */
export function PagePending() {
  if (useMatches({ select: isFramed })) return <PageSkeleton />;
  return (
    <output className="flex min-h-[60dvh] items-center justify-center gap-2 text-sm text-muted">
      <Spinner />
      Loading…
    </output>
  );
}

/** A title, and a card with lines, where both will stand. */
function PageSkeleton() {
  return (
    <>
      <output className="sr-only">Loading…</output>
      <div aria-hidden>
        <div className="mb-5 flex h-12 flex-col justify-center gap-2.5">
          <Skeleton width="11rem" />
          <Skeleton width="17rem" />
        </div>
        <div className="rounded border bg-surface">
          <div className="flex h-15 items-center border-b px-4">
            <Skeleton width="16rem" />
          </div>
          {lines.map((width) => (
            <div key={width} className="flex h-10 items-center border-b px-4 last:border-b-0">
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
