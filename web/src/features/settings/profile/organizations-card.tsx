import { useQuery } from '@tanstack/react-query';
import { membershipsQuery, organizationName } from '../../../lib/session/account.ts';
import { messageOf } from '../../../lib/api/errors.ts';
import { roleNames } from '../../../lib/session/role-labels.ts';
import { useSwitchOrganization } from '../../../lib/session/use-session-change.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Loaded } from '../loaded.tsx';

/** The user's organizations, with a switch between them. */
export function OrganizationsCard() {
  const query = useQuery(membershipsQuery);
  const { mutate, isPending, variables } = useSwitchOrganization();
  const switchTo = (organizationId: string) =>
    mutate(organizationId, {
      onError: (error) => toast.error('Failed to switch organization', messageOf(error, 'Please try again.')),
    });

  return (
    <Card title="Your organizations">
      <Loaded query={query} failure="Failed to load your organizations." rows={1}>
        {(memberships) => (
          <ul className="divide-y">
            {memberships.map(({ organizationId, organization, role, current }) => (
              <li key={organizationId} className="flex min-h-14 items-center gap-3 px-4 py-2">
                <div className="min-w-0 grow">
                  <p className="truncate font-medium">{organizationName({ organization })}</p>
                  <p className="text-sm text-muted">{roleNames[role]}</p>
                </div>
                {current ? (
                  <Badge tone="info">Current</Badge>
                ) : (
                  <Button
                    size="sm"
                    busy={isPending && variables === organizationId}
                    aria-label={`Switch to ${organizationName({ organization })}`}
                    onClick={() => switchTo(organizationId)}
                  >
                    Switch
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
