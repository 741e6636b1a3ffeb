import { createFileRoute, useLocation } from '@tanstack/react-router';
import { InvitationPage } from '../features/accounts/invitation-page.tsx';
import { hideToken, TokenSearch } from '../features/accounts/link-token.ts';

export const Route = createFileRoute('/invitation')({
  validateSearch: TokenSearch,
  beforeLoad: ({ search }) => hideToken('/invitation', search),
  component: Invitation,
});

function Invitation() {
  return <InvitationPage token={useLocation({ select: ({ state }) => state.linkToken })} />;
}
