import { Spinner } from '../../ui/spinner.tsx';

/** While a page is on its way for longer than 150 ms. */
export function PagePending() {
  return (
    <output className="flex min-h-[60dvh] items-center justify-center gap-2 text-sm text-muted">
      <Spinner />
      Loading…
    </output>
  );
}
