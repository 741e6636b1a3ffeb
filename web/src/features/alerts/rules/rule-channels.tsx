import { alertDigests, type AlertDigest } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { channelsQuery } from '../queries.ts';
import type { RulePartProps } from './rule-condition.tsx';

const digests = Object.entries(alertDigests).map(([value, label]) => ({
  value: value as AlertDigest,
  label,
}));

const toggled = (ids: readonly string[], id: string, on: boolean): string[] =>
  on ? [...ids, id] : ids.filter((one) => one !== id);

/** Members and webhooks that a rule notifies in addition to the inbox. */
export function RuleChannels({ values, onChange, errorAt }: RulePartProps) {
  const { data, error, refetch } = useQuery(channelsQuery);
  const { mailTo, webhookIds, digest } = values;
  if (data === undefined && error !== null)
    return (
      <ErrorState title="Failed to load members and webhooks." error={error} onRetry={() => void refetch()} />
    );
  if (data === undefined)
    return (
      <output aria-label="Loading" className="flex flex-col gap-2">
        <Skeleton width="60%" />
        <Skeleton width="40%" />
      </output>
    );
  return (
    <>
      <Group label="Email" error={errorAt('mailTo')}>
        {!data.mail && (
          <Notice tone="warning">
            No mail server is set up. Emails are kept in the outbox of the server until the operator sets one
            up.
          </Notice>
        )}
        {data.members.map(({ _id, name, email }) => (
          <Checkbox
            key={_id}
            label={name === '' ? email : `${name} (${email})`}
            checked={mailTo.includes(_id)}
            onChange={(on) => onChange({ mailTo: toggled(mailTo, _id, on) })}
          />
        ))}
      </Group>
      {mailTo.length > 0 && (
        <div className="flex flex-col gap-1">
          <span className="text-sm font-medium">Send emails</span>
          <Segmented
            label="Send emails"
            items={digests}
            value={digest}
            onChange={(next) => onChange({ digest: next })}
          />
          <p className="text-sm text-muted">
            A digest contains all alerts of an hour or a day. The inbox and webhooks get each alert
            immediately.
          </p>
        </div>
      )}
      <Group label="Webhooks" error={errorAt('webhookIds')}>
        {data.webhooks.length === 0 && (
          <p className="text-sm text-muted">No webhooks yet. Owners create them under Webhooks.</p>
        )}
        {data.webhooks.map(({ _id, name, enabled }) => (
          <Checkbox
            key={_id}
            label={enabled ? name : `${name} (disabled)`}
            checked={webhookIds.includes(_id)}
            onChange={(on) => onChange({ webhookIds: toggled(webhookIds, _id, on) })}
          />
        ))}
      </Group>
    </>
  );
}

interface GroupProps {
  label: string;
  error: string | undefined;
  children: ReactNode;
}

/** Checkboxes of one channel; many of them scroll. */
function Group({ label, error, children }: GroupProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">
        {label} <span className="font-normal text-muted">(optional)</span>
      </legend>
      <div className="flex max-h-40 flex-col gap-1 overflow-y-auto">{children}</div>
      {error !== undefined && <p className="text-sm text-danger">{error}</p>}
    </fieldset>
  );
}
