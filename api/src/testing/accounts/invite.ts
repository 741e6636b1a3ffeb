import type { Role } from '@riskboard/contract';
import { password, type Person } from '../person.ts';

/** Invites an address. @returns the token of the link */
export async function invite(owner: Person, email: string, role: Role = 'analyst'): Promise<string> {
  const answer = await owner.post('/api/organization/invitations', { email, role, password });
  if (answer.statusCode !== 201) throw new Error(`no invitation: ${answer.statusCode} ${answer.body}`);
  return new URL(answer.json<{ link: string }>().link).searchParams.get('token') ?? '';
}
