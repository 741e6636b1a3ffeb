import { createFileRoute, useLocation } from '@tanstack/react-router';
import { hideToken, tokenSearch } from '../features/accounts/link-token.ts';
import { ResetPage } from '../features/accounts/reset-page.tsx';

export const Route = createFileRoute('/reset-password')({
  validateSearch: tokenSearch,
  beforeLoad: ({ search }) => hideToken('/reset-password', search),
  component: ResetPassword,
});

function ResetPassword() {
  return <ResetPage token={useLocation({ select: ({ state }) => state.linkToken })} />;
}
