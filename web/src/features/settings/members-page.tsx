import { members } from '@riskboard/contract';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { InvitationsCard } from './invitations-card.tsx';
import { MembersCard } from './members-card.tsx';
import { OwnersOnly } from './owners-only.tsx';

/** Who belongs to the organisation, and who is invited. */
export function MembersPage() {
  if (useRefusal(members.list.access) !== undefined) return <OwnersOnly />;
  return (
    <>
      <MembersCard />
      <InvitationsCard />
    </>
  );
}
