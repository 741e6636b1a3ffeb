import { type ComponentProps, lazy, Suspense, useState } from 'react';

const ThreatPeek = lazy(async () => ({
  default: (await import('./threat-peek.tsx')).ThreatPeek,
}));

/** The peek comes with the first row that is looked at, and stays to close as it opened. */
export function LazyThreatPeek(props: ComponentProps<typeof ThreatPeek>) {
  const [wanted, setWanted] = useState(false);
  if (props.id !== undefined && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <ThreatPeek {...props} />
    </Suspense>
  );
}
