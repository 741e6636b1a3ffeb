import { Link, useLocation } from '@tanstack/react-router';
import { Menu, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createStore, useStore } from '../../lib/browser/store.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import type { DrawerProps } from '../../ui/dialog/drawer.tsx';
import { idlePart } from '../../ui/layout/idle-part.tsx';
import { Mark } from '../../ui/layout/mark.tsx';
import { Tooltip } from '../../ui/popup/tooltip.tsx';
import { navigation, partOf, type Destination } from './navigation.ts';

/** The left rail of wide screens; can collapse to icons. */
export function Rail() {
  const narrow = useRailNarrow();
  const Icon = narrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      className={`sticky top-0 hidden h-dvh shrink-0 flex-col border-r bg-surface lg:flex print:hidden ${narrow ? 'w-14' : 'w-58'}`}
    >
      <div className="flex h-14 shrink-0 items-center border-b px-4">
        <Link
          to="/dashboard"
          aria-label="Riskboard, to the dashboard"
          className="flex items-center gap-2.5 rounded text-lg font-semibold tracking-tight"
        >
          <Mark />
          {!narrow && 'Riskboard'}
        </Link>
      </div>
      <div className="min-h-0 grow scroll-pt-3 scroll-pb-14 overflow-y-auto">
        <RailLinks narrow={narrow} />
      </div>
      <div className="p-3">
        <IconButton
          label={narrow ? 'Expand navigation' : 'Collapse navigation'}
          icon={<Icon aria-hidden size={16} />}
          aria-expanded={!narrow}
          onClick={() => setRailNarrow(!narrow)}
        />
      </div>
    </aside>
  );
}

const key = 'riskboard.rail';

function stored(): boolean {
  try {
    return localStorage.getItem(key) === 'narrow';
  } catch {
    return false;
  }
}

const narrow = createStore(stored());

/** Collapses or expands the rail; the choice is stored. */
function setRailNarrow(next: boolean): void {
  narrow.set(next);
  try {
    localStorage.setItem(key, next ? 'narrow' : 'wide');
  } catch {
    // Storage may be disabled; the choice then lasts until the page is closed.
  }
}

const useRailNarrow = (): boolean => useStore(narrow);

const { Part: Drawer, useIdleLoad } = idlePart<DrawerProps>(
  async () => (await import('../../ui/dialog/drawer.tsx')).Drawer,
  null,
);

/** Opens the rail on small screens. */
export function RailDrawer() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  useIdleLoad();
  return (
    <div className="lg:hidden">
      <IconButton
        label="Open navigation"
        icon={<Menu aria-hidden size={18} />}
        aria-haspopup="dialog"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      />
      {wanted && (
        <Drawer open={open} onOpenChange={setOpen} title="Riskboard" side="left" width={280}>
          <RailLinks onNavigate={() => setOpen(false)} />
        </Drawer>
      )}
    </div>
  );
}

interface RailLinksProps {
  narrow?: boolean;
  onNavigate?: () => void;
}

/** In sight while the links above it scroll; on the background of the rail, or of the drawer of small screens. */
const footStyle = 'foot-line sticky bottom-0 -mb-3 mt-auto bg-surface pt-1 pb-3 max-lg:bg-raised';

/** Links to every page, for the rail and for the drawer of small screens. */
function RailLinks({ narrow = false, onNavigate }: RailLinksProps) {
  const current = partOf(useLocation({ select: ({ pathname }) => pathname }));
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current === undefined) return;
    nav.current?.querySelector(`[href="${current.to}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} aria-label="Main" className="flex min-h-full flex-col gap-4 p-3">
      {navigation.map((group) => {
        const title = 'title' in group ? group.title : undefined;
        return (
          <div key={group.entries[0].to} className={'foot' in group ? footStyle : undefined}>
            {title !== undefined && !narrow && (
              <h2 className="px-2 pb-1 text-xs font-medium text-muted">{title}</h2>
            )}
            {title !== undefined && narrow && <hr className="mb-4" />}
            <ul className="flex flex-col gap-0.5">
              {group.entries.map((destination) => (
                <li key={destination.to}>
                  <RailLink
                    destination={destination}
                    current={destination === current}
                    narrow={narrow}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

interface RailLinkProps {
  destination: Destination;
  /** Whether the current page is this entry or below it. */
  current: boolean;
  /** Shows only the icon; the label is its name and tooltip. */
  narrow: boolean;
  onNavigate?: () => void;
}

/** An entry of the rail. `aria-current` is 'page' on its own page and 'true' on pages below it, such as a record. */
function RailLink({ destination, current, narrow, onNavigate }: RailLinkProps) {
  const { to, label, icon: Icon } = destination;
  const link = (
    <Link
      to={to}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'true' : undefined}
      onClick={onNavigate}
      aria-label={narrow ? label : undefined}
      className={`flex h-8 items-center gap-3 rounded lg:[@media(max-height:820px)]:h-7 px-2 text-base text-muted transition-colors hover:bg-hover hover:text-text [&[aria-current]]:bg-accent-soft [&[aria-current]]:font-medium [&[aria-current]]:text-accent-text ${narrow ? 'w-8 justify-center' : ''}`}
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
