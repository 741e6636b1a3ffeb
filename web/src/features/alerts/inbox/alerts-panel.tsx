import type { Alert } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CheckCheck, Inbox } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { AnchoredPopover } from '../../../ui/popup/anchored-popover.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { unreadQuery } from '../unread-query.ts';
import { AlertLink } from './alert-link.tsx';
import { AlertSeverity } from './alert-severity.tsx';
import { alertsSource } from './alerts-source.ts';
import { useMarkRead } from './use-mark-read.ts';

export interface AlertsPanelProps {
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Alerts in the panel; the page has all of them. */
const shown = 8;
const newest = alertsSource.query({ ...alertsSource.initial, pageSize: shown });

/** The newest alerts, below the button of the top bar. */
export function AlertsPanel({ anchor, onClose }: AlertsPanelProps) {
  const query = useQuery(newest);
  const { data: unread = 0 } = useQuery(unreadQuery);
  const mark = useMarkRead();
  const alerts = query.data?.alerts;
  const first = alerts?.[0]?._id;

  function open(alert: Alert): void {
    mark.one(alert);
    onClose();
  }

  return (
    <AnchoredPopover label="Alerts" anchor={anchor} align="end" width={400} onClose={onClose}>
      <div className="flex items-center justify-between gap-3 border-b px-4 py-2">
        <h2 className="text-base font-semibold">Alerts</h2>
        <Button
          size="sm"
          variant="ghost"
          icon={<CheckCheck aria-hidden size={14} />}
          busy={mark.busy}
          disabled={unread === 0 || first === undefined}
          onClick={() => first !== undefined && mark.allUntil(first)}
        >
          Mark all as read
        </Button>
      </div>
      <PanelContent alerts={alerts} error={query.error} onRetry={() => void query.refetch()} onOpen={open} />
      <div className="flex items-center justify-between gap-3 border-t px-4 py-2">
        <Link to="/dashboard/alerts" onClick={onClose} className={loneLinkStyle}>
          Show all alerts
        </Link>
        <Link to="/dashboard/settings/alerts" onClick={onClose} className={loneLinkStyle}>
          Alert rules
        </Link>
      </div>
    </AnchoredPopover>
  );
}

interface PanelContentProps {
  alerts: readonly Alert[] | undefined;
  error: unknown;
  onRetry: () => void;
  onOpen: (alert: Alert) => void;
}

function PanelContent({ alerts, error, onRetry, onOpen }: PanelContentProps) {
  if (alerts === undefined && error !== null)
    return <ErrorState title="Failed to load alerts." error={error} onRetry={onRetry} />;
  if (alerts === undefined)
    return (
      <output aria-label="Loading" className="flex flex-col gap-3 p-4">
        <Skeleton width="70%" />
        <Skeleton width="50%" />
        <Skeleton width="60%" />
      </output>
    );
  if (alerts.length === 0)
    return (
      <EmptyState
        icon={<Inbox aria-hidden size={20} />}
        title="No alerts yet."
        description="Rules decide what you are alerted about."
        action={<LinkButton to="/dashboard/settings/alerts">Set up rules</LinkButton>}
      />
    );
  return (
    <ul aria-label="Newest alerts" className="min-h-0 divide-y overflow-y-auto">
      {alerts.map((alert) => (
        <li key={alert._id} className="flex flex-col gap-1 px-4 py-2.5 text-base hover:bg-hover">
          <AlertLink alert={alert} onOpen={onOpen} />
          {alert.description !== '' && (
            <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{alert.description}</p>
          )}
          <div className="flex items-center gap-2 text-xs text-muted">
            <AlertSeverity severity={alert.severity} />
            <Time value={alert.createdAt} />
          </div>
        </li>
      ))}
    </ul>
  );
}
