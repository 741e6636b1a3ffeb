import { organizations, type Organization } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../lib/api/call.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { Switch } from '../../../ui/input/switch.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { organizationQuery } from '../queries.ts';

/** Switch for the rule that stale CWSS scores are recalculated without a request. */
export function RecalculationRule({ organization }: { organization: Organization }) {
  const refusal = useRefusal(organizations.update.access);
  const queryClient = useQueryClient();

  async function set(on: boolean): Promise<void> {
    await attempt(
      async () => {
        const saved = await call(organizations.update, { body: { autoRecalculateCwss: on } });
        queryClient.setQueryData(organizationQuery.queryKey, saved);
      },
      {
        done: on
          ? 'Stale scores are now recalculated automatically'
          : 'Stale scores are no longer recalculated automatically',
        failure: 'Failed to change the rule',
      },
    );
  }

  return (
    <Card title="Scoring">
      <div className="flex flex-col items-start gap-3 p-4">
        <div className="self-stretch">
          <Switch
            label="Recalculate stale CWSS scores automatically"
            description="A score becomes stale when the CWE, the CVSS vector or the assets of its vulnerability change, or its vignette. When this is on, a background job then calculates it again with the same vignette, and the history of the score shows why it changed. When it is off, stale scores are marked and keep their value."
            checked={organization.autoRecalculateCwss}
            onChange={(on) => void set(on)}
            disabledReason={refusal}
          />
        </div>
        <Link to="/dashboard/vulnerabilities" search={{ cwssState: ['stale'] }} className={loneLinkStyle}>
          Show stale scores
        </Link>
      </div>
    </Card>
  );
}
