import { createFileRoute, useLocation } from '@tanstack/react-router';
import { InvitationPage } from '../features/accounts/invitation-page.tsx';
import { hideToken, tokenSearch } from '../features/accounts/link-token.ts';

export const Route = createFileRoute('/invitation')({
  validateSearch: tokenSearch,
  beforeLoad: ({ search }) => hideToken('/invitation', search),
  component: Invitation,
});

function Invitation() {
  return <InvitationPage token={useLocation({ select: ({ state }) => state.linkToken })} />;
}
