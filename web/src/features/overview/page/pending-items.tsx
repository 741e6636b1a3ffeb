import { Card } from '../../../ui/layout/card.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';

const lines = ['64%', '52%', '70%', '58%'] as const;

/** A card with a list that loads: as high as one with four items. */
export function PendingItems({ title }: { title: string }) {
  return (
    <Card title={title}>
      <ul aria-busy className="divide-y">
        {lines.map((width) => (
          <li key={width} className="flex min-h-16 items-center px-4">
            <Skeleton width={width} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
