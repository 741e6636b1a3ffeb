import type { Member, Role } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { UserPlus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../../../lib/session/account.ts';
import { roleItems, roleNoun } from '../../../lib/session/role-labels.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Select } from '../../../ui/input/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { membersQuery, useLastOwner } from '../queries.ts';
import { EmailText } from './email-text.tsx';
import { membersFound } from './found.ts';
import { MemberMenu } from './member-menu.tsx';
import { Paged } from './paged.tsx';
import { memberName, useMemberActions } from './use-member-actions.ts';

/** The members with their roles that match the search; owners only. */
export function MembersCard({ search }: { search: string }) {
  const query = useQuery(membersQuery);
  const [inviting, setInviting] = useState(false);
  inviteDialog.useIdleLoad();
  return (
    <Card
      title={query.data === undefined ? 'Members' : `Members (${formatCount(query.data.length)})`}
      actions={
        <Button variant="primary" icon={<UserPlus aria-hidden size={16} />} onClick={() => setInviting(true)}>
          Invite member
        </Button>
      }
    >
      <Paged noun="members" rows={membersFound(query.data ?? [], search)} search={search}>
        {(rows) => (
          <PlainTable
            label="Members"
            columns={membersColumns}
            query={{ ...query, data: query.data && rows }}
            rowId={(member) => member._id}
            skeletonRows={3}
            failure="Failed to load the members."
            empty={<EmptyState icon={<UsersRound aria-hidden size={20} />} title="No members found." />}
          />
        )}
      </Paged>
      {inviting && <inviteDialog.Part onClose={() => setInviting(false)} />}{' '}
    </Card>
  );
}

const inviteDialog = idlePart(async () => (await import('./invite-dialog.tsx')).InviteDialog, null);

/** Columns of the members. */
const membersColumns: readonly PlainColumn<Member>[] = [
  {
    label: 'Name',
    rowHeader: true,
    cell: (member) => (
      <div className="flex min-w-0 flex-col">
        <span className="truncate font-medium">
          {memberName(member)} {member.self && <span className="font-normal text-muted">(you)</span>}
        </span>
        <span className="truncate text-sm text-muted">
          <EmailText email={member.email} />
        </span>
      </div>
    ),
  },
  {
    label: 'Role',
    width: 136,
    cell: (member) => <MemberRole member={member} />,
  },
  {
    label: 'Second factor',
    from: 'md',
    cell: (member) =>
      member.secondFactor ? <Badge tone="success">On</Badge> : <span className="text-muted">Off</span>,
  },
  {
    label: 'Joined',
    from: 'md',
    cell: (member) => <Time value={member.joinedAt} />,
  },
  {
    label: 'Last seen',
    from: 'sm',
    cell: (member) => <Time value={member.lastSeenAt} />,
  },
  {
    label: 'Actions',
    hideLabel: true,
    last: true,
    align: 'right',
    width: 60,
    cell: (member) => <MemberMenu member={member} />,
  },
];

/** Text of the confirmation before owner rights are given or taken; null for other changes of a role. */
function consequenceOf(member: Member, role: Role): string | null {
  if (role === 'owner') {
    return 'Owners have full access: they can manage members, including you, and delete the organization.';
  }
  if (member.self)
    return 'You will no longer be able to manage members. Only another owner can make you an owner again.';
  if (member.role === 'owner')
    return 'They will no longer be able to manage members and the organization, and their open invitations end.';
  return null;
}

/** Selects the role of a member. */
function MemberRole({ member }: { member: Member }) {
  const lastOwner = useLastOwner(member);
  const { secondFactor } = useUser();
  const { setRole, changeOwnerRights, changed } = useMemberActions(member);
  const [pending, setPending] = useState<Role | null>(null);
  const name = memberName(member);

  function choose(role: Role): void {
    if (role === member.role) return;
    if (consequenceOf(member, role) === null) return void setRole(role);
    setPending(role);
  }

  return (
    <>
      <Select
        label={`Role of ${name}`}
        hideLabel
        size="sm"
        items={roleItems}
        value={member.role}
        onChange={choose}
        disabledReason={lastOwner}
      />
      {pending !== null && (
        <PasswordDialog
          title={`Make ${member.self ? 'yourself' : nameText(name)} ${roleNoun[pending]}?`}
          description={consequenceOf(member, pending)}
          submitLabel="Change role"
          needsCode={secondFactor && pending !== 'owner'}
          send={(password, code) => changeOwnerRights(pending, { password, code })}
          onDone={async () => {
            setPending(null);
            await changed(`${nameText(name)} is now ${roleNoun[pending]}`);
          }}
          onClose={() => setPending(null)}
        />
      )}
    </>
  );
}
