import { useQuery } from '@tanstack/react-query';
import { Card } from '../../ui/layout/card.tsx';
import { DeleteCard } from './delete-card.tsx';
import { DeletionProgress } from './deletion-progress.tsx';
import { LeaveCard } from './leave-card.tsx';
import { Loaded } from './loaded.tsx';
import { OrganizationForm } from './organization-form.tsx';
import { organizationQuery } from './queries.ts';
import { SecondFactorRule } from './second-factor-rule.tsx';

/** The organisation: name, rule for its members, and the ways out. */
export function OrganizationPage() {
  const query = useQuery(organizationQuery);
  const organization = query.data;
  if (organization === undefined) {
    return (
      <Card title="Organization">
        <Loaded query={query} failure="Failed to load the organization.">
          {() => null}
        </Loaded>
      </Card>
    );
  }
  if (organization.deletingSince !== null) return <DeletionProgress organization={organization} />;
  return (
    <>
      <OrganizationForm organization={organization} />
      <SecondFactorRule organization={organization} />
      <LeaveCard organization={organization} />
      <DeleteCard organization={organization} />
    </>
  );
}
