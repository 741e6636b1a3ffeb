import type { Member } from '@riskboard/contract';
import { Badge } from '../../ui/badge.tsx';
import { listColumns } from '../../ui/list-columns.ts';
import { Time } from '../../ui/time.tsx';
import { MemberMenu } from './member-menu.tsx';
import { MemberRole } from './member-role.tsx';
import { personName } from './person-name.ts';

const column = listColumns<Member>();

/** Columns of the members. */
export const membersColumns = [
  column.display({
    id: 'name',
    meta: { label: 'Name', rowHeader: true },
    cell: ({ row: { original: member } }) => (
      <div className="flex max-w-[40ch] min-w-28 flex-col">
        <span className="font-medium break-words">
          {personName(member)} {member.self && <span className="font-normal text-muted">(you)</span>}
        </span>
        <span className="text-sm break-all text-muted">{member.email}</span>
      </div>
    ),
  }),
  column.display({
    id: 'role',
    meta: { label: 'Role' },
    cell: ({ row: { original: member } }) => <MemberRole member={member} />,
  }),
  column.display({
    id: 'secondFactor',
    meta: { label: 'Second factor', from: 'md' },
    cell: ({ row: { original: member } }) =>
      member.secondFactor ? <Badge tone="success">On</Badge> : <span className="text-muted">Off</span>,
  }),
  column.display({
    id: 'joinedAt',
    meta: { label: 'Joined', from: 'xl' },
    cell: ({ row: { original: member } }) => <Time value={member.joinedAt} />,
  }),
  column.display({
    id: 'lastSeenAt',
    meta: { label: 'Last seen', from: 'sm' },
    cell: ({ row: { original: member } }) => <Time value={member.lastSeenAt} />,
  }),
  column.display({
    id: 'actions',
    meta: { label: 'Actions', hideLabel: true, align: 'right' },
    cell: ({ row: { original: member } }) => <MemberMenu member={member} />,
  }),
];
