import { Skeleton } from '../feedback/skeleton.tsx';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';

/** Lines of the geometry of a record's page; invisible for the first 150 ms. */
export function RecordLoading() {
  const shown = useDelayed(true);
  if (!shown) return <output aria-label="Loading" className="block min-h-dvh" />;
  return (
    <output aria-label="Loading" className="block min-h-dvh">
      <span className="mb-6 flex flex-col gap-3">
        <Skeleton width="min(320px, 60%)" />
        <Skeleton width="min(200px, 40%)" />
      </span>
      <span className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        {[6, 9].map((lines) => (
          <span key={lines} className="flex flex-col gap-4 self-start rounded border bg-surface p-4">
            {Array.from({ length: lines }, (_, line) => (
              <Skeleton key={line} width={`${50 + ((line * 17) % 45)}%`} />
            ))}
          </span>
        ))}
      </span>
    </output>
  );
}
