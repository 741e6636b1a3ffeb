import { createFileRoute } from '@tanstack/react-router';
import { CalculatorPage } from '../../features/cwss/calculator-page.tsx';
import { searchSchema, text } from '../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/cwss')({
  staticData: { crumb: 'CWSS calculator' },
  validateSearch: searchSchema({ vector: text }),
  component: Calculator,
});

const linkOf = (vector: string): string =>
  `${location.origin}/dashboard/cwss?vector=${encodeURIComponent(vector)}`;

function Calculator() {
  const navigate = Route.useNavigate();
  const { vector } = Route.useSearch();
  return (
    <CalculatorPage
      vector={vector}
      onVector={(next) =>
        void navigate({
          search: next === undefined ? {} : { vector: next },
          replace: true,
          resetScroll: false,
        })
      }
      linkOf={linkOf}
    />
  );
}
