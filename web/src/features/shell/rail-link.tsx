import { Link } from '@tanstack/react-router';
import { Tooltip } from '../../ui/popup/tooltip.tsx';
import type { Destination } from './navigation.ts';

interface RailLinkProps {
  destination: Destination;
  /** The page that is shown is this one or belongs to it. */
  current: boolean;
  /** The icon alone; the word is its name and tooltip. */
  narrow: boolean;
  onNavigate?: () => void;
}

/** An entry of the rail. On its own page it is the current 'page', on one below it, such as a record, 'true'. */
export function RailLink({ destination, current, narrow, onNavigate }: RailLinkProps) {
  const { to, label, icon: Icon } = destination;
  const link = (
    <Link
      to={to}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'true' : undefined}
      onClick={onNavigate}
      aria-label={narrow ? label : undefined}
      className={`flex h-8 items-center gap-3 rounded px-2 text-base text-muted transition-colors hover:bg-hover hover:text-text [&[aria-current]]:bg-accent-soft [&[aria-current]]:font-medium [&[aria-current]]:text-accent-text ${narrow ? 'w-8 justify-center' : ''}`}
    >
      <Icon aria-hidden size={16} className="shrink-0" />
      {!narrow && <span className="truncate">{label}</span>}
    </Link>
  );
  if (!narrow) return link;
  return (
    <Tooltip content={label} side="right">
      {link}
    </Tooltip>
  );
}
