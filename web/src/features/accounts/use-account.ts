import type { User } from '@riskboard/contract';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { meQuery } from '../../lib/session/account.ts';
import { onStandingChange } from '../../lib/session/session.ts';
import { useUser } from '../../lib/session/use-user.ts';

const meKey = hashKey(meQuery.queryKey);

/**
 * Who is signed in, kept true while pages are open: a refused call asks again, and when another tab has switched the
 * organisation, what was fetched in the last one goes.
 */
export function useAccount(): User {
  const queryClient = useQueryClient();
  const user = useUser();
  const shown = useRef(user.organizationId);

  useEffect(
    () => onStandingChange(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })),
    [queryClient],
  );

  useEffect(() => {
    if (shown.current === user.organizationId) return;
    shown.current = user.organizationId;
    void queryClient.resetQueries({ predicate: ({ queryHash }) => queryHash !== meKey });
  }, [queryClient, user.organizationId]);

  return user;
}
