import type { ApiToken } from '@riskboard/contract';
import { roleNames } from '../../lib/role-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { listColumns } from '../../ui/list-columns.ts';
import { Time } from '../../ui/time.tsx';
import { RevokeToken } from './revoke-token.tsx';

const column = listColumns<ApiToken>();

/** Columns of the API tokens. */
export const tokensColumns = [
  column.display({
    id: 'name',
    meta: { label: 'Name', rowHeader: true },
    cell: ({ row: { original: token } }) => (
      <div className="flex max-w-[40ch] min-w-24 flex-col">
        <span className="font-medium break-words">{token.name}</span>
        <span className="text-sm text-muted">
          <span className="sr-only">ends in </span>
          <code className="font-mono">…{token.hint}</code>
        </span>
      </div>
    ),
  }),
  column.display({
    id: 'role',
    meta: { label: 'Role', from: 'sm' },
    cell: ({ row: { original: token } }) => roleNames[token.role],
  }),
  column.display({
    id: 'lastUsedAt',
    meta: { label: 'Last used', from: 'sm' },
    cell: ({ row: { original: token } }) =>
      token.lastUsedAt === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <Time value={token.lastUsedAt} />
      ),
  }),
  column.display({
    id: 'expiresAt',
    meta: { label: 'Expires' },
    cell: ({ row: { original: token } }) =>
      token.expired ? <Badge tone="warning">Expired</Badge> : <Time value={token.expiresAt} />,
  }),
  column.display({
    id: 'createdAt',
    meta: { label: 'Made', from: 'xl' },
    cell: ({ row: { original: token } }) => <Time value={token.createdAt} />,
  }),
  column.display({
    id: 'actions',
    meta: { label: 'Actions', hideLabel: true, align: 'right' },
    cell: ({ row: { original: token } }) => <RevokeToken token={token} />,
  }),
];
