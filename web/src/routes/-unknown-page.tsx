import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy } from 'react';
import { PageMissing } from '../features/shell/page-states.tsx';
import { meQuery } from '../lib/session/account.ts';

const Dashboard = lazy(async () => ({ default: (await import('./dashboard/-dashboard.tsx')).Dashboard }));

/** An unknown address outside the dashboard: inside the shell for a signed-in user. */
export function UnknownPage() {
  const { data: user } = useQuery({ ...meQuery, retry: false });
  if (user === undefined) return <PageMissing />;
  return (
    <Suspense fallback={<PageMissing />}>
      <Dashboard>
        <PageMissing />
      </Dashboard>
    </Suspense>
  );
}
