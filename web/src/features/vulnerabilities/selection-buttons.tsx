import { lazy, Suspense } from 'react';
import type { Selected } from '../../ui/list/use-selection.ts';

// Nobody has selected anything when the list shows: dialogs and forms come after it.
const SelectedVulnerabilities = lazy(async () => ({
  default: (await import('./selected-vulnerabilities.tsx')).SelectedVulnerabilities,
}));

/** The buttons of the lists' selection bar. */
export const selectedVulnerabilities = (selected: Selected) => (
  <Suspense>
    <SelectedVulnerabilities selected={selected} />
  </Suspense>
);
