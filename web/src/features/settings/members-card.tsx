import { useQuery } from '@tanstack/react-query';
import { UserPlus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { membersColumns } from './members-columns.tsx';
import { membersQuery } from './queries.ts';

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
      <DataTable
        label="Members"
        columns={membersColumns}
        rows={query.data}
        rowId={(member) => member._id}
        skeletonRows={3}
        failure={
          query.error !== null && query.data === undefined
            ? {
                title: 'Failed to load the members.',
                error: query.error,
                onRetry: () => void query.refetch(),
              }
            : undefined
        }
        empty={<EmptyState icon={<UsersRound aria-hidden size={20} />} title="No members found." />}
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Card>
  );
}
