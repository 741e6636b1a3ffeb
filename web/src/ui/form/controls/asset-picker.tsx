import type { Related } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { assetRefusal, useAssetSearch, type AssetOption, type AssetRules } from './asset-options.ts';

export interface AssetPickerProps extends AssetRules {
  id: string;
  value: readonly Related[];
  onChange: (assets: Related[]) => void;
  onBlur?: () => void;
  disabled?: boolean;
  placeholder?: string;
}

/**
 * Chooses assets by name, searched on the server. The list is at most 12rem high (spec 2, Asset relationships); assets
 * that cannot be chosen are shown with the reason. Must be inside a `Field`.
 */
export function AssetPicker({
  id,
  value,
  onChange,
  onBlur,
  disabled = false,
  placeholder = 'Search assets',
  ...rules
}: AssetPickerProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const { found, total, error, busy } = useAssetSearch(text, open);
  const options: AssetOption[] = found.map(({ _id, name, description }) => ({
    _id,
    name,
    description,
    refusal: assetRefusal(_id, value, rules),
  }));
  const more = total - found.length;

  return (
    <Combobox.Root
      multiple
      items={options}
      filter={null}
      value={value}
      onValueChange={(next: Related[], details) => {
        if (details.reason === 'escape-key') {
          // Base UI would clear the choice; here Escape closes the list, then the dialog.
          details.cancel();
          details.allowPropagation();
          return;
        }
        onChange(next.map(({ _id, name, description }) => ({ _id, name, description })));
        setText('');
      }}
      inputValue={text}
      onInputValueChange={setText}
      open={open}
      // A read-only field would still show the assets.
      onOpenChange={(next) => setOpen(next && !disabled)}
      itemToStringLabel={(asset: Related) => asset.name}
      isItemEqualToValue={(a: Related, b: Related) => a._id === b._id}
      readOnly={disabled}
    >
      <Combobox.InputGroup
        data-readonly={disabled ? '' : undefined}
        className="flex min-h-9 items-start rounded border border-line-strong bg-surface transition-colors data-readonly:bg-hover data-readonly:text-muted focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus has-data-invalid:border-danger"
      >
        <Combobox.Chips className="flex min-w-0 grow flex-wrap items-center gap-1 px-1.5 py-1">
          {value.map((asset) => (
            <Combobox.Chip
              key={asset._id}
              aria-label={asset.name}
              className="inline-flex h-6 max-w-full items-center gap-1 rounded bg-hover pl-2 text-sm data-highlighted:bg-accent-soft"
            >
              <span className="truncate">{asset.name}</span>
              <Combobox.ChipRemove
                aria-label={`Remove ${asset.name}`}
                className="flex size-6 shrink-0 items-center justify-center rounded text-muted hover:text-text data-readonly:hidden"
              >
                <X aria-hidden size={12} />
              </Combobox.ChipRemove>
            </Combobox.Chip>
          ))}
          <Combobox.Input
            id={id}
            onBlur={onBlur}
            placeholder={value.length === 0 ? placeholder : undefined}
            className="h-6 w-0 min-w-20 grow bg-transparent px-1.5 text-base outline-none"
          />
        </Combobox.Chips>
        {!disabled && (
          <Combobox.Trigger
            aria-label="Show assets"
            className="flex size-8.5 shrink-0 items-center justify-center rounded text-muted hover:text-text"
          >
            <ChevronDown aria-hidden size={14} />
          </Combobox.Trigger>
        )}
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-50">
          <Combobox.Popup
            aria-busy={busy || undefined}
            className="w-(--anchor-width) max-w-(--available-width) rounded border bg-raised shadow-raised outline-none"
          >
            <Combobox.Status className="px-3 py-2 text-sm text-muted empty:hidden">
              {statusOf({ busy, error, empty: options.length === 0, text })}
            </Combobox.Status>
            <Combobox.List className="max-h-48 overflow-y-auto overscroll-contain p-1 empty:hidden">
              {(option: AssetOption) => (
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
    </Combobox.Root>
  );
}

function statusOf({
  busy,
  error,
  empty,
  text,
}: {
  busy: boolean;
  error: unknown;
  empty: boolean;
  text: string;
}) {
  if (error !== null) return 'Failed to load assets.';
  if (busy) return 'Searching…';
  if (!empty) return null;
  return text.trim() === '' ? 'No assets found.' : `No asset matches “${text.trim()}”.`;
}
