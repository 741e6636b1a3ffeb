import type { Member } from '@riskboard/contract';
import { Badge } from '../../ui/badge/badge.tsx';
import type { PlainColumn } from '../../ui/table/plain-table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { EmailText } from './email-text.tsx';
import { MemberMenu } from './member-menu.tsx';
import { MemberRole } from './member-role.tsx';
import { personName } from './person-name.ts';

/** Columns of the members. */
export const membersColumns: readonly PlainColumn<Member>[] = [
  {
    label: 'Name',
    rowHeader: true,
    cell: (member) => (
      <div className="flex max-w-[40ch] min-w-28 flex-col">
        <span className="font-medium break-words">
          {personName(member)} {member.self && <span className="font-normal text-muted">(you)</span>}
        </span>
        <span className="text-sm text-muted">
          <EmailText email={member.email} />
        </span>
      </div>
    ),
  },
  {
    label: 'Role',
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
    from: 'xl',
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
    align: 'right',
    cell: (member) => <MemberMenu member={member} />,
  },
];
