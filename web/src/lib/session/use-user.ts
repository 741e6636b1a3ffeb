import type { User } from '@riskboard/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from './account.ts';

/** Who is signed in, as it is now; only behind the login, where the route has asked already. */
export const useUser = (): User => useSuspenseQuery(meQuery).data;
