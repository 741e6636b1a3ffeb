import { useQuery } from '@tanstack/react-query';
import { UserPlus, UsersRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatCount } from '../../lib/format/format.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PlainTable } from '../../ui/table/plain-table.tsx';
import { membersColumns } from './members-columns.tsx';
import { membersQuery } from './queries.ts';

// Comes with the first question.
const InviteDialog = lazy(async () => ({ default: (await import('./invite-dialog.tsx')).InviteDialog }));

/** The members with their roles; owners only. */
export function MembersCard() {
  const query = useQuery(membersQuery);
  const [inviting, setInviting] = useState(false);
  return (
    <Card
      title={query.data === undefined ? 'Members' : `Members (${formatCount(query.data.length)})`}
      actions={
        <Button variant="primary" icon={<UserPlus aria-hidden size={16} />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      <PlainTable
        label="Members"
        columns={membersColumns}
        query={query}
        rowId={(member) => member._id}
        skeletonRows={3}
        failure="Failed to load the members."
        empty={<EmptyState icon={<UsersRound aria-hidden size={20} />} title="No members found." />}
      />
      <Suspense>{inviting && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </Card>
  );
}
