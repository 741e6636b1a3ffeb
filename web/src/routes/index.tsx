import { createFileRoute, redirect, useLocation } from '@tanstack/react-router';
import { Welcome } from '../features/accounts/welcome.tsx';
import { isAccessEnd } from '../lib/api/errors.ts';
import { mayHaveSession, sessionQuery } from '../lib/session/account.ts';

export const Route = createFileRoute('/')({
  async beforeLoad({ context: { queryClient } }) {
    if (!mayHaveSession()) return;
    const user = await queryClient.fetchQuery(sessionQuery).catch((error: unknown) => {
      if (isAccessEnd(error)) throw redirect({ to: '/login', state: { notice: error.message } });
      // After any other failure, the page without a session is the right one.
      return null;
    });
    if (user !== null) throw redirect({ to: '/dashboard' });
  },
  component: Home,
});

function Home() {
  return <Welcome forgotten={useLocation({ select: ({ state }) => state.forgotten })} />;
}
