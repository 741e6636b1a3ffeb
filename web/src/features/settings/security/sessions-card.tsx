import { sessions, type Session } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { organizationName } from '../../../lib/session/account.ts';
import { useSignedOut } from '../../../lib/session/use-session-change.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { revokeTokensLabel } from '../../../lib/session/revoke-tokens.ts';
import { deviceOf, type Device } from './device.ts';
import { PasswordDialog } from '../password-dialog.tsx';
import { Loaded } from '../loaded.tsx';
import { sessionsQuery } from '../queries.ts';

/** The user's sessions, with actions to end them. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  const signedOut = useSignedOut();
  const [asking, setAsking] = useState(false);
  const [revokeTokens, setRevokeTokens] = useState(true);

  return (
    <Card
      title="Active sessions"
      actions={
        <Button size="sm" onClick={() => setAsking(true)}>
          Log out everywhere
        </Button>
      }
    >
      <Loaded query={query} failure="Failed to load your sessions.">
        {(list) => (
          <ul className="divide-y">
            {list.map((session) => (
              <SessionRow
                key={session._id}
                session={session}
                several={new Set(list.map(({ organization }) => organization)).size > 1}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {asking && (
        <PasswordDialog
          title="Log out everywhere?"
          description="You will be logged out on every device, including this one."
          submitLabel="Log out everywhere"
          danger
          send={(password) => call(sessions.endAll, { body: { password, revokeTokens } })}
          onDone={() => {
            toast.success('Logged out everywhere');
            return signedOut();
          }}
          onClose={() => setAsking(false)}
        >
          <Checkbox label={revokeTokensLabel} checked={revokeTokens} onChange={setRevokeTokens} />
        </PasswordDialog>
      )}
    </Card>
  );
}

const icons = { computer: Monitor, mobile: Smartphone, program: SquareTerminal } as const satisfies Record<
  Device['kind'],
  unknown
>;

interface SessionRowProps {
  session: Session;
  /** The sessions belong to more than one organization, so each row names its own. */
  several: boolean;
}

/** Device, address and last use of a session. */
function SessionRow({ session, several }: SessionRowProps) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { name, kind } = deviceOf(session.userAgent);
  const Icon = icons[kind];

  async function ended(): Promise<void> {
    setAsking(false);
    toast.success('Session ended');
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  }

  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2.5">
      <Icon aria-hidden size={20} className="shrink-0 text-muted" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium" title={session.userAgent}>
          {name}
          {session.current && <Badge tone="success">This session</Badge>}
        </p>
        <p className="text-sm text-muted">
          {session.address !== '' && `${session.address} · `}
          {several && `${organizationName(session)} · `}
          {session.current ? (
            'Active now'
          ) : (
            <>
              Last used <Time value={session.lastUsedAt} />
            </>
          )}
          <span className="max-sm:hidden">
            {' '}
            · Logged in <Time value={session.createdAt} />
          </span>
        </p>
      </div>
      {!session.current && (
        <Button size="sm" aria-label={`End session: ${name}`} onClick={() => setAsking(true)}>
          End
        </Button>
      )}
      {asking && (
        <PasswordDialog
          title="End this session?"
          description={`${name} will be logged out immediately.`}
          submitLabel="End session"
          danger
          send={(password) => call(sessions.end, { params: { id: session._id }, body: { password } })}
          onDone={ended}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
