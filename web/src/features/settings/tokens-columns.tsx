import type { ApiToken } from '@riskboard/contract';
import { roleNames } from '../../lib/session/role-labels.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import type { PlainColumn } from '../../ui/table/plain-table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { RevokeToken } from './revoke-token.tsx';

/** Columns of the API tokens. */
export const tokensColumns: readonly PlainColumn<ApiToken>[] = [
  {
    label: 'Name',
    rowHeader: true,
    cell: (token) => (
      <div className="flex max-w-[40ch] min-w-24 flex-col">
        <span className="font-medium break-words">{token.name}</span>
        <span className="text-sm text-muted">
          <span className="sr-only">ends in </span>
          <code className="font-mono">…{token.hint}</code>
        </span>
      </div>
    ),
  },
  {
    label: 'Role',
    from: 'sm',
    cell: (token) => roleNames[token.role],
  },
  {
    label: 'Last used',
    from: 'sm',
    cell: (token) =>
      token.lastUsedAt === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <Time value={token.lastUsedAt} />
      ),
  },
  {
    label: 'Expires',
    cell: (token) =>
      token.expired ? <Badge tone="warning">Expired</Badge> : <Time value={token.expiresAt} />,
  },
  {
    label: 'Made',
    from: 'xl',
    cell: (token) => <Time value={token.createdAt} />,
  },
  {
    label: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (token) => <RevokeToken token={token} />,
  },
];
