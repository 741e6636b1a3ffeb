import { alertDigests, type AlertDigest } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { containsText } from '../../../lib/format/contains-text.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { inputStyle } from '../../../ui/input/input-style.ts';
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
      <Group
        label="Email"
        noun="member"
        choices={data.members.map(({ _id, name, email }) => ({
          _id,
          label: name === '' ? email : `${nameText(name)} (${email})`,
        }))}
        chosen={mailTo}
        onChange={(ids) => onChange({ mailTo: ids })}
        error={errorAt('mailTo')}
      >
        {!data.mail && (
          <Notice tone="warning">
            No mail server is set up. Emails are kept in the outbox of the server until the operator sets one
            up.
          </Notice>
        )}
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
      <Group
        label="Webhooks"
        noun="webhook"
        choices={data.webhooks.map(({ _id, name, enabled }) => ({
          _id,
          label: enabled ? name : `${nameText(name)} (disabled)`,
        }))}
        chosen={webhookIds}
        onChange={(ids) => onChange({ webhookIds: ids })}
        error={errorAt('webhookIds')}
      >
        {data.webhooks.length === 0 && (
          <p className="text-sm text-muted">No webhooks yet. Owners create them under Webhooks.</p>
        )}
      </Group>
    </>
  );
}

/** Number of choices from which on a search field is shown. */
const searchFrom = 10;

interface GroupProps {
  label: string;
  /** Of one choice. */
  noun: string;
  choices: readonly { _id: string; label: string }[];
  /** Ids. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
  /** Above the checkboxes. */
  children: ReactNode;
}

/** Checkboxes of one channel; many of them scroll and can be searched. */
function Group({ label, noun, choices, chosen, onChange, error, children }: GroupProps) {
  const [search, setSearch] = useState('');
  const shown = choices.filter((choice) => containsText(choice.label, search));
  const isMany = choices.length >= searchFrom;
  return (
    // The minimum width of a fieldset is that of its content by default.
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">
        {label}{' '}
        <span className="font-normal text-muted">
          {isMany && chosen.length > 0 ? `(${formatCount(chosen.length)} selected)` : '(optional)'}
        </span>
      </legend>
      {children}
      {isMany && (
        <input
          type="search"
          aria-label={`Search ${noun}s`}
          placeholder={`Search ${plural(choices.length, noun)}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            // It would submit the form.
            if (event.key === 'Enter') event.preventDefault();
          }}
          className={`${inputStyle} h-8`}
        />
      )}
      <ul aria-label={label} className="max-h-60 overflow-y-auto empty:hidden">
        {shown.map(({ _id, label: text }) => (
          <li key={_id} className="py-0.5">
            <Checkbox
              label={text}
              checked={chosen.includes(_id)}
              onChange={(on) => onChange(toggled(chosen, _id, on))}
            />
          </li>
        ))}
      </ul>
      {isMany && (
        <output className="block text-sm text-muted empty:hidden">
          {shown.length === 0 && `No ${noun} contains “${search.trim()}”.`}
        </output>
      )}
      {error !== undefined && <p className="text-sm text-danger">{error}</p>}
    </fieldset>
  );
}
