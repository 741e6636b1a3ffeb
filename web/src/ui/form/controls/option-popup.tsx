import { formatCount } from '@riskboard/domain';
import { Combobox } from '@base-ui/react/combobox';
import { Check } from 'lucide-react';
import type { OptionSearch } from './use-option-search.ts';

interface Option {
  readonly _id: string;
  readonly name: string;
  /** Why it cannot be chosen; undefined when it can. */
  readonly refusal?: string | undefined;
}

interface OptionPopupProps {
  noun: 'project' | 'asset';
  search: OptionSearch;
  text: string;
}

/** Popup of a searched combobox: its status, the options, at most 12rem high, and how many more match. */
export function OptionPopup({ noun, search, text }: OptionPopupProps) {
  const more = search.total - search.found.length;
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} className="z-50">
        <Combobox.Popup
          aria-busy={search.busy || undefined}
          className="w-(--anchor-width) max-w-(--available-width) rounded border bg-raised shadow-raised outline-none"
        >
          <Combobox.Status className="px-3 py-2 text-sm text-muted empty:hidden">
            {statusOf({ noun, search, text: text.trim() })}
          </Combobox.Status>
          <Combobox.List className="max-h-48 overflow-y-auto overscroll-contain p-1 empty:hidden">
            {(option: Option) => (
              <Combobox.Item
                key={option._id}
                value={option}
                disabled={option.refusal !== undefined}
                className="grid min-h-8 cursor-default grid-cols-[16px_1fr_auto] items-center gap-2 rounded px-2 text-base outline-none select-none data-disabled:text-muted data-highlighted:bg-hover"
              >
                <Combobox.ItemIndicator className="col-start-1">
                  <Check aria-hidden size={14} />
                </Combobox.ItemIndicator>
                <span className="col-start-2 truncate">{option.name}</span>
                {option.refusal !== undefined && (
                  <span className="col-start-3 text-sm text-muted">{option.refusal}</span>
                )}
              </Combobox.Item>
            )}
          </Combobox.List>
          {more > 0 && (
            <p className="border-t px-3 py-2 text-sm text-muted">
              {formatCount(more)} more. Type to narrow the list.
            </p>
          )}
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

function statusOf({ noun, search, text }: OptionPopupProps): string | null {
  if (search.error !== null) return `Failed to load ${noun}s.`;
  if (search.busy) return 'Searching…';
  if (search.found.length > 0) return null;
  return text === '' ? `No ${noun}s found.` : `No ${noun} matches “${text}”.`;
}
