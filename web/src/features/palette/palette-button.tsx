import { Search } from 'lucide-react';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { useShortcuts } from '../../lib/browser/shortcuts.ts';
import { useStore } from '../../lib/browser/store.ts';
import { idlePart } from '../../ui/layout/idle-part.tsx';
import { Keys } from './keys.tsx';
import { keepTyping, overlay } from './palette-state.ts';

// It keeps the entry within its budget.
const { Part: ShortcutHelp, useIdleLoad: useShortcutHelp } = idlePart(
  async () => (await import('./shortcut-help.tsx')).ShortcutHelp,
  null,
);

/** Toasts have the role of a dialog too, and take nothing; a dialog that is closing stays until its transition ends. */
const others = '[aria-modal="false"], [data-closed]';

/** Whether a modal dialog is open; the palette must not open over it. */
const isTaken = () =>
  document.querySelector(`:is([role="dialog"], [role="alertdialog"]):not(${others})`) !== null;

function openPalette(): void {
  overlay.set('palette');
  keepTyping();
}

interface PaletteButtonProps {
  /** The palette, mounted when it is first opened. */
  palette: ComponentType;
  /** Pages with a shortcut. */
  pages: readonly { to: NonNullable<LinkProps['to']>; label: string; keys: string }[];
}

/** Opens the palette; registers Ctrl/⌘ K, `?` and the shortcuts of the pages. */
export function PaletteButton({ palette: Palette, pages }: PaletteButtonProps) {
  const navigate = useNavigate();
  const shown = useStore(overlay);
  useShortcutHelp();
  const [wanted, setWanted] = useState({ palette: false, help: false });
  if (shown !== 'none' && !wanted[shown]) setWanted({ ...wanted, [shown]: true });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
    if (shown !== 'palette' && isTaken()) return;
    event.preventDefault();
    if (shown === 'palette') overlay.set('none');
    else openPalette();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  // The next user must not find the palette open.
  useEffect(() => () => overlay.set('none'), []);

  useShortcuts('Everywhere', [
    { keys: 'Mod k', label: 'Search records, pages and actions' },
    { keys: '?', label: 'Keyboard shortcuts', run: () => overlay.set('help') },
    { keys: 'F6', label: 'Go to messages and their Undo' },
  ]);
  useShortcuts(
    'Go to',
    pages.map(({ keys, label, to }) => ({ keys, label, run: () => void navigate({ to }) })),
  );

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openPalette}
        className="flex h-8 min-w-8 items-center justify-center gap-2 rounded border-transparent text-sm text-muted transition-colors hover:bg-hover hover:text-text md:justify-start @4xl/top:w-52 md:border md:border-line-strong md:bg-surface md:px-2"
      >
        <Search aria-hidden size={16} className="shrink-0" />
        <span className="sr-only md:not-sr-only md:grow md:text-left">Search </span>
        <span className="hidden md:block">
          <Keys keys="Mod k" />
        </span>
      </button>
      {wanted.palette && <Palette />}
      {wanted.help && <ShortcutHelp />}
    </>
  );
}
