import { mostUnread } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { idlePart } from '../../ui/layout/idle-part.tsx';
import type { AlertsPanelProps } from './inbox/alerts-panel.tsx';
import { unreadQuery } from './unread-query.ts';

const { Part: AlertsPanel, useIdleLoad } = idlePart<AlertsPanelProps>(
  async () => (await import('./inbox/alerts-panel.tsx')).AlertsPanel,
  null,
);

/** Shown in place of a number that is not counted further. */
const countText = (unread: number): string => (unread >= mostUnread ? `${mostUnread - 1}+` : String(unread));

/** Opens the newest alerts; shows the number of unread ones. */
export function AlertsButton() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  useIdleLoad();
  return (
    <span className="relative inline-flex">
      <IconButton
        ref={anchor}
        label={unread === 0 ? 'Alerts' : `Alerts: ${countText(unread)} unread`}
        icon={<Inbox aria-hidden size={16} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {unread > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute -top-1 -right-1 min-w-4 rounded-full bg-danger-solid px-1 text-center text-[10px] leading-4 font-semibold text-on-accent tabular-nums"
        >
          {countText(unread)}
        </span>
      )}
      {open && <AlertsPanel anchor={anchor} onClose={() => setOpen(false)} />}
    </span>
  );
}
