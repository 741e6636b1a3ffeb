import { plural } from '@riskboard/domain';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from '../../lib/browser/store.ts';
import { Button } from '../../ui/button/button.tsx';
import { backdropStyle } from '../../ui/dialog/dialog-style.ts';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { useRegisteredCommands, type Command } from '../../lib/browser/commands.ts';
import { Keys } from './keys.tsx';
import { overlay, takeTyped } from './palette-state.ts';
import { longestQuery, useEntries, type Entry, type EntryGroup } from './use-entries.tsx';

/** Command palette (Ctrl/⌘ K): finds pages, actions and records by name or id. */
export function Palette({ commands }: { commands: readonly Command[] }) {
  const open = useStore(overlay) === 'palette';
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => overlay.set(next ? 'palette' : 'none')}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropStyle} />
        <Dialog.Popup
          initialFocus={input}
          className="fixed top-[max(16px,12dvh)] left-1/2 z-40 flex max-h-[min(560px,calc(100dvh-32px))] w-160 max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col overflow-hidden rounded border bg-raised shadow-raised transition-opacity outline-none data-ending-style:opacity-0"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <PaletteBody commands={commands} input={input} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteBodyProps {
  commands: readonly Command[];
  input: React.RefObject<HTMLInputElement | null>;
}

function PaletteBody({ commands, input }: PaletteBodyProps) {
  const [text, setText] = useState('');
  const here = useRegisteredCommands();
  const { groups, waiting, failure } = useEntries([...here, ...commands], text);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const nothing = count === 0 && !waiting && failure === undefined;

  function choose({ run }: Entry): void {
    overlay.set('none');
    run();
  }

  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      mode="none"
      autoHighlight="always"
      keepHighlight
      value={text}
      onValueChange={(value, { reason }) => reason !== 'item-press' && setText(value)}
      itemToStringValue={({ label }: Entry) => label}
    >
      <div className="flex h-13 shrink-0 items-center gap-3 border-b px-4">
        {waiting ? <Spinner /> : <Search aria-hidden size={16} className="shrink-0 text-muted" />}
        <Autocomplete.Input
          ref={input}
          onFocus={() => {
            const typed = takeTyped();
            if (typed !== '') setText((before) => (before + typed).slice(0, longestQuery));
          }}
          aria-label="Search pages, actions and records"
          placeholder="Search records, pages and actions"
          maxLength={longestQuery}
          className="h-full min-w-0 grow bg-transparent text-lg outline-none"
        />
        <span aria-hidden className="hidden sm:block">
          <Keys keys="Esc" />
        </span>
      </div>
      <Autocomplete.Status className="sr-only">
        {waiting ? 'Searching…' : plural(count, 'result')}
      </Autocomplete.Status>
      <div className="min-h-0 overflow-y-auto">
        {failure !== undefined && (
          <div role="alert" className="flex items-center justify-between gap-3 border-b px-4 py-2.5 text-sm">
            <span>
              Failed to search records. <span className="text-muted">{failure.error.message}</span>
            </span>
            <Button size="sm" onClick={() => void failure.retry()}>
              Retry
            </Button>
          </div>
        )}
        {nothing && (
          <div className="px-6 py-10 text-center">
            <p className="text-base font-medium">Nothing found for “{text.trim()}”.</p>
            <p className="text-sm text-muted">
              Try a part of a name, or an id: CVE, CWE, CAPEC or ATT&amp;CK.
            </p>
          </div>
        )}
        <Autocomplete.List aria-label="Results" className={count === 0 ? '' : 'p-2'}>
          {(group: EntryGroup) => (
            <Autocomplete.Group key={group.value} items={group.items} className="pb-2 last:pb-0">
              <Autocomplete.GroupLabel className="flex items-center justify-between gap-2 px-2 py-1 text-xs text-muted">
                <span className="min-w-0 truncate">{group.value}</span>
                {group.total !== undefined && <span className="shrink-0 tabular-nums">{group.total}</span>}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(entry: Entry) => <EntryLine key={entry.id} entry={entry} onChoose={() => choose(entry)} />}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
    </Autocomplete.Root>
  );
}

function EntryLine({ entry, onChoose }: { entry: Entry; onChoose: () => void }) {
  const { label, hint, icon, keys, refusal, isStale = false } = entry;
  const more = refusal ?? hint;
  return (
    <Autocomplete.Item
      value={entry}
      disabled={refusal !== undefined || isStale}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer scroll-my-8 items-center gap-3 rounded border border-transparent px-2 text-base outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted data-highlighted:border-line-strong data-highlighted:bg-hover"
    >
      <span className="text-muted">{icon}</span>
      <span className="min-w-0 grow truncate">{label}</span>
      {more !== undefined && more !== '' && (
        <span className="max-w-[45%] shrink-0 truncate text-sm text-muted">{more}</span>
      )}
      {keys !== undefined && (
        <span aria-hidden className="hidden sm:block">
          <Keys keys={keys} />
        </span>
      )}
    </Autocomplete.Item>
  );
}
