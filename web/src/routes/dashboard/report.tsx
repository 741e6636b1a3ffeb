import { createFileRoute } from '@tanstack/react-router';
import { ReportPage } from '../../features/risk-report/report-page.tsx';
import { searchSchema, text } from '../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/report')({
  staticData: { crumb: 'Risk report' },
  validateSearch: searchSchema({ projectId: text }),
  component: Report,
});

function Report() {
  const navigate = Route.useNavigate();
  const { projectId } = Route.useSearch();
  return (
    <ReportPage
      projectId={projectId}
      onProject={(id) =>
        void navigate({
          search: id === undefined ? {} : { projectId: id },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
