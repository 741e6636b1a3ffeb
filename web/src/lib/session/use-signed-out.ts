import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

interface SignedOut {
  /** Why, for the login page. */
  notice?: string | undefined;
  /** Page to come back to. */
  next?: string | undefined;
}

/** After a session has ended: leads to the login page and forgets everything that was fetched in it. */
export function useSignedOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async ({ notice, next }: SignedOut = {}): Promise<void> => {
    await navigate({
      to: '/login',
      search: { next },
      state: notice === undefined ? {} : { notice },
    });
    queryClient.clear();
  };
}
