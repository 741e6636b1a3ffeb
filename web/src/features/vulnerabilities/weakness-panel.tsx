import { lazy, Suspense } from 'react';
import { useLast } from '../../lib/hooks/use-last.ts';
import { useWeakness } from './use-weakness.ts';

const CwePanel = lazy(async () => ({ default: (await import('../../ui/cwe/cwe-panel.tsx')).CwePanel }));

/** Details of the weakness that the address names (spec 2, Vulnerability data list); it comes when first wanted. */
export function WeaknessPanel() {
  const { weakness, open, close } = useWeakness();
  const wanted = useLast(weakness) !== undefined;
  if (!wanted) return null;
  return (
    <Suspense>
      <CwePanel value={weakness ?? null} onOpen={open} onClose={close} />
    </Suspense>
  );
}
