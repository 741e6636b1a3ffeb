import type { Invitation, Member } from '@riskboard/contract';
import { containsText } from '../../../lib/format/contains-text.ts';
import { memberName } from './use-member-actions.ts';

/** Members whose name or email address contains the search. */
export const membersFound = (members: readonly Member[], search: string): Member[] =>
  members.filter((member) => containsText(`${memberName(member)} ${member.email}`, search));

/** Invitations whose email address contains the search. */
export const invitationsFound = (invitations: readonly Invitation[], search: string): Invitation[] =>
  invitations.filter(({ email }) => containsText(email, search));
