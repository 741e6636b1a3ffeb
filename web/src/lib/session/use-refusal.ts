import { roles, type Access } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from './account.ts';

/**
 * Why the person who is signed in may not use a control, in the API's words; undefined: they may. The control is then
 * shown disabled with the reason, not taken away. `useRefusal(reports.upload.access)`
 * @param least `access` of the endpoint that the control calls
 */
export function useRefusal(least: Access): string | undefined {
  const { data: user } = useQuery(meQuery);
  if (user === undefined || least === 'public' || least === 'self') return undefined;
  if (roles.indexOf(user.role) >= roles.indexOf(least)) return undefined;
  return `This needs the role ${least}; yours is ${user.role}.`;
}
