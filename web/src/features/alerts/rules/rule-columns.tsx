import type { AlertRule } from '@riskboard/contract';
import type { PlainColumn } from '../../../ui/table/plain-table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { DeleteRule, EditRule, EnableRule } from './rule-actions.tsx';
import { channelsText, conditionText } from './rule-texts.ts';

/** Columns of the alert rules. */
export const ruleColumns: readonly PlainColumn<AlertRule>[] = [
  {
    label: 'Rule',
    rowHeader: true,
    cell: (rule) => (
      <div className="flex min-w-0 flex-col py-1 whitespace-normal">
        <span className="font-medium wrap-anywhere">{rule.name}</span>
        <span className="text-sm text-muted">{conditionText(rule)}</span>
      </div>
    ),
  },
  {
    label: 'Alerts to',
    from: 'sm',
    width: 240,
    narrowWidth: 160,
    cell: (rule) => <span className="line-clamp-2 whitespace-normal">{channelsText(rule)}</span>,
  },
  {
    label: 'Last alert',
    from: 'md',
    width: 128,
    cell: (rule) =>
      rule.lastAlertAt === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <Time value={rule.lastAlertAt} />
      ),
  },
  { label: 'Enabled', width: 88, cell: (rule) => <EnableRule rule={rule} /> },
  {
    label: 'Actions',
    hideLabel: true,
    last: true,
    align: 'right',
    width: 96,
    cell: (rule) => (
      <span className="inline-flex">
        <EditRule rule={rule} />
        <DeleteRule rule={rule} />
      </span>
    ),
  },
];
