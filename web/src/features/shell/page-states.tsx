import { useRouter, Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { use, type ReactNode } from 'react';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import { buttonStyle } from '../../ui/button/button-style.ts';
import { LoadFailure } from '../../ui/feedback/load-failure.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { InShell } from './in-shell.ts';

/**
 * Replaces a page or section that failed; the frame around it stays. A failure without a connection is retried once
 * when the connection returns.
 */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();

  function again(): void {
    reset();
    void router.invalidate();
  }

  return (
    <Landmark>
      <div className="p-4">
        <Card>
          <LoadFailure title="Failed to show this page." error={error} onRetry={again} />
        </Card>
      </div>
    </Landmark>
  );
}

/** The main landmark of a page outside the shell; the shell has its own. */
function Landmark({ children }: { children: ReactNode }) {
  return use(InShell) ? (
    children
  ) : (
    <main id="main" tabIndex={-1} className="outline-none">
      {children}
    </main>
  );
}

/** Page for an unknown URL. */
export function PageMissing() {
  useNamedPage('Page not found');
  return (
    <Landmark>
      <div className="flex min-h-[60dvh] flex-col items-center justify-center gap-1 px-6 text-center">
        <title>Page not found · Riskboard</title>
        <div className="mb-3 flex size-10 items-center justify-center rounded-full bg-hover text-muted">
          <Compass aria-hidden size={20} />
        </div>
        <h1 className="text-lg font-semibold">Page not found</h1>
        <p className="max-w-110 text-sm text-muted">
          The address may be mistyped, or the page may have been deleted.
        </p>
        <Link to="/dashboard" className={buttonStyle({ class: 'mt-4' })}>
          Go to the dashboard
        </Link>
      </div>
    </Landmark>
  );
}

/** Different widths, so that the lines look like text. */
const lines = ['46%', '62%', '38%', '54%', '70%', '42%', '58%', '50%'] as const;

/** Shown when a page takes longer than 150 ms to load. */
export function PagePending() {
  if (use(InShell)) return <PageSkeleton />;
  return (
    <Landmark>
      <output className="flex min-h-[60dvh] items-center justify-center gap-2 text-sm text-muted">
        <Spinner />
        Loading…
      </output>
    </Landmark>
  );
}

/** Skeleton of a title and a card with lines. */
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
