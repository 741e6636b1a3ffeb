import { useQuery } from '@tanstack/react-query';
import { PageMissing } from '../features/shell/page-states.tsx';
import { meQuery } from '../lib/session/account.ts';
import { lazyPart } from '../ui/layout/lazy-part.tsx';

const Dashboard = lazyPart(
  async () => (await import('./dashboard/-dashboard.tsx')).Dashboard,
  <PageMissing />,
);

/** An unknown address outside the dashboard: inside the shell for a signed-in user. */
export function UnknownPage() {
  const { data: user } = useQuery({ ...meQuery, retry: false });
  if (user === undefined) return <PageMissing />;
  return (
    <Dashboard>
      <PageMissing />
    </Dashboard>
  );
}
