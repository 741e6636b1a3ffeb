import { Link } from '@tanstack/react-router';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Destination } from './navigation.ts';

interface RailLinkProps {
  destination: Destination;
  /** The icon alone; the word is its name and tooltip. */
  narrow: boolean;
  onNavigate?: () => void;
}

/** An entry of the rail; one that stands for a `whole` is marked on the pages below it too. */
export function RailLink({ destination, narrow, onNavigate }: RailLinkProps) {
  const { to, label, icon: Icon } = destination;
  const link = (
    <Link
      to={to}
      activeOptions={{ exact: !('whole' in destination), includeSearch: false }}
      onClick={onNavigate}
      aria-label={narrow ? label : undefined}
      className={`flex h-8 items-center gap-3 rounded px-2 text-base text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text ${narrow ? 'w-8 justify-center' : ''}`}
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
