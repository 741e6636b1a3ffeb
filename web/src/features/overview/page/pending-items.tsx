import { Skeleton } from '../../../ui/feedback/skeleton.tsx';

const lines = ['64%', '52%', '70%', '58%'] as const;

/** A list that loads: as high as one with four items. */
export function PendingItems() {
  return (
    <ul aria-busy className="divide-y">
      {lines.map((width) => (
        <li key={width} className="flex min-h-16 items-center px-4">
          <Skeleton width={width} />
        </li>
      ))}
    </ul>
  );
}
