import { createFileRoute } from '@tanstack/react-router';
import { NewVignettePage } from '../../../../features/vignettes/editor/editor-pages.tsx';
import { id, searchSchema } from '../../../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/reports/vignettes/new')({
  staticData: {
    crumb: 'New vignette',
    section: { label: 'Vignettes', to: '/dashboard/reports/vignettes' },
  },
  // The vignette to copy.
  validateSearch: searchSchema({ from: id }),
  component: New,
});

function New() {
  const { from } = Route.useSearch();
  return <NewVignettePage key={from} from={from} />;
}
