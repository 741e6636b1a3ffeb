import { createFileRoute, useLocation } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../features/accounts/confirm-email-page.tsx';
import { hideToken, tokenSearch } from '../features/accounts/link-token.ts';

export const Route = createFileRoute('/confirm-email')({
  validateSearch: tokenSearch,
  beforeLoad: ({ search }) => hideToken('/confirm-email', search),
  component: ConfirmEmail,
});

function ConfirmEmail() {
  return <ConfirmEmailPage token={useLocation({ select: ({ state }) => state.linkToken })} />;
}
