import { errors } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from './account.ts';

/** Why the person who is signed in may not change anything: viewers read (contract, Accounts: roles). */
export function useWriteRefusal(): string | undefined {
  const { data: user } = useQuery(meQuery);
  return user?.role === 'viewer' ? errors.role_too_low.fallback : undefined;
}
