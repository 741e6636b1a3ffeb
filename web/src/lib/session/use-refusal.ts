import { roles, type Access, type User } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from './account.ts';

/**
 * Why the signed-in user may not use a control; undefined when they may. The control is shown disabled with the reason,
 * never hidden. `useRefusal(reports.upload.access)`
 * @param least `access` of the endpoint that the control calls
 */
export function useRefusal(least: Access): string | undefined {
  const { data: user } = useQuery(meQuery);
  return refusalOf(user, least);
}

/** Why a user may not make a call with this access; undefined when they may. */
export function refusalOf(user: User | undefined, least: Access): string | undefined {
  if (user === undefined || least === 'public' || least === 'self') return undefined;
  if (roles.indexOf(user.role) >= roles.indexOf(least)) return undefined;
  return `Requires the ${least} role. You are ${user.role === 'viewer' ? 'a' : 'an'} ${user.role}.`;
}
