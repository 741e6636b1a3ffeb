import { lazy, Suspense } from 'react';
import type { Selected } from '../../ui/list/use-selection.ts';

// Nobody has selected anything when the list shows: dialogs and forms come after it.
const SelectedThreats = lazy(async () => ({
  default: (await import('./selected-threats.tsx')).SelectedThreats,
}));

/** The buttons of the lists' selection bar. */
export const selectedThreats = (selected: Selected) => (
  <Suspense>
    <SelectedThreats selected={selected} />
  </Suspense>
);
