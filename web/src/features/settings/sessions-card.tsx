import { sessions } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useSignedOut } from '../../lib/session/use-signed-out.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { Loaded } from './loaded.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { sessionsQuery } from './queries.ts';
import { SessionRow } from './session-row.tsx';

/** Where one is signed in, and how to end that. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  const signedOut = useSignedOut();
  const [asking, setAsking] = useState(false);

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
          description="Every session of yours ends at once, on every device, and this one too. API tokens stay valid."
          submitLabel="Log out everywhere"
          danger
          send={(password) => call(sessions.endAll, { body: { password } })}
          onDone={() => {
            toast.success('Logged out everywhere');
            return signedOut();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
