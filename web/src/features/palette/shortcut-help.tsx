import { setSingleKeys, useShortcutGroups, useSingleKeys } from '../../lib/browser/shortcuts.ts';
import { useStore } from '../../lib/browser/store.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Switch } from '../../ui/input/switch.tsx';
import { Keys } from './keys.tsx';
import { overlay } from './palette-state.ts';

/** Shortcut help (`?`): the shortcuts of this page, and the switch that disables single keys (WCAG 2.1.4). */
export function ShortcutHelp() {
  const open = useStore(overlay) === 'help';
  const on = useSingleKeys();
  const groups = useShortcutGroups();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => overlay.set(next ? 'help' : 'none')}
      title="Keyboard shortcuts"
      description="Shortcuts available on this page."
      width={560}
    >
      <div className="flex flex-col gap-5">
        {groups.map(({ title, shortcuts }) => (
          <section key={title} aria-label={title}>
            <h3 className="pb-1 text-sm font-medium text-muted">{title}</h3>
            <dl className="divide-y border-y">
              {shortcuts.map(({ keys, label, isSingleKey }) => (
                <div key={keys} className="flex min-h-9 items-center justify-between gap-4">
                  <dt className={on || !isSingleKey ? '' : 'text-muted line-through'}>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <Switch
          label="Single-key shortcuts"
          description="Shortcuts without a modifier key, such as J or ?. They are ignored while you type."
          checked={on}
          onChange={setSingleKeys}
        />
      </div>
    </Dialog>
  );
}
