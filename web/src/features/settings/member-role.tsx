import type { Member, Role } from '@riskboard/contract';
import { useState } from 'react';
import { roleItems, roleNoun } from '../../lib/session/role-labels.ts';
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx';
import { Select } from '../../ui/input/select.tsx';
import { personName } from './person-name.ts';
import { useLastOwner } from './use-last-owner.ts';
import { useMemberActions } from './use-member-actions.ts';

/** What must be understood before a role changes; most changes need no question. */
function consequenceOf(member: Member, role: Role): string | null {
  if (role === 'owner') {
    return 'Owners may do everything: manage members, you among them, and delete the organization.';
  }
  if (member.self) return 'You can then no longer manage members. Only another owner can make you one again.';
  return null;
}

/** The role of a member, to be changed on the spot. */
export function MemberRole({ member }: { member: Member }) {
  const lastOwner = useLastOwner(member);
  const { setRole } = useMemberActions(member);
  const [asked, setAsked] = useState<Role | null>(null);
  const [shown, setShown] = useState<Role>(member.role);
  const name = personName(member);

  function choose(role: Role): void {
    if (role === member.role) return;
    if (consequenceOf(member, role) === null) return void setRole(role);
    setShown(role);
    setAsked(role);
  }

  return (
    <>
      <Select
        label={`Role of ${name}`}
        hideLabel
        size="sm"
        items={roleItems}
        value={member.role}
        onChange={choose}
        disabledReason={lastOwner}
      />
      <AlertDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Make ${member.self ? 'yourself' : name} ${roleNoun[shown]}?`}
        description={consequenceOf(member, shown)}
        confirmLabel="Change role"
        onConfirm={() => setRole(shown)}
      />
    </>
  );
}
