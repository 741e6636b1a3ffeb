import { createFileRoute, redirect, useLocation } from '@tanstack/react-router';
import { Welcome } from '../features/accounts/welcome.tsx';
import { meQuery } from '../lib/session/account.ts';

export const Route = createFileRoute('/')({
  async beforeLoad({ context: { queryClient } }) {
    // After any failure, the page without a session is the right one.
    const user = await queryClient.fetchQuery({ ...meQuery, retry: false }).catch(() => null);
    if (user !== null) throw redirect({ to: '/dashboard' });
  },
  component: Home,
});

function Home() {
  return <Welcome forgotten={useLocation({ select: ({ state }) => state.forgotten })} />;
}
