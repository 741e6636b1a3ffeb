import { useQuery } from '@tanstack/react-query';
import { membershipsQuery } from '../../lib/session/account.ts';
import { organizationName } from '../../lib/session/organization-name.ts';
import { useSwitchOrganization } from '../../lib/session/use-switch-organization.ts';
import { MenuRadioGroup } from '../../ui/popup/menu-radio-group.tsx';
import { MenuSeparator } from '../../ui/popup/menu-separator.tsx';
import { toast } from '../../ui/feedback/toast.ts';

/** In the user menu of somebody who belongs to several organisations: which of them is open. */
export function OrganizationSwitch({ current }: { current: string }) {
  const { data: memberships = [] } = useQuery({ ...membershipsQuery, staleTime: 60_000 });
  const { mutate } = useSwitchOrganization();
  if (memberships.length < 2) return null;
  return (
    <>
      <MenuRadioGroup
        label="Organization"
        items={memberships.map((one) => ({ value: one.organizationId, label: organizationName(one) }))}
        value={current}
        onChange={(organizationId) =>
          mutate(organizationId, {
            onError: (error) => toast.error('You are still in the same organization', error.message),
          })
        }
      />
      <MenuSeparator />
    </>
  );
}
