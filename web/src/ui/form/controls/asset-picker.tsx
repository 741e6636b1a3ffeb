import type { Related } from '@riskboard/contract';
import { Combobox } from '@base-ui/react/combobox';
import { ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { assetRefusal, type AssetOption, type AssetRules } from './asset-options.ts';
import { OptionPopup } from './option-popup.tsx';
import { useOptionSearch } from './use-option-search.ts';

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
  const search = useOptionSearch('assets', { text, open });
  const options: AssetOption[] = search.found.map(({ _id, name, description }) => ({
    _id,
    name,
    description,
    refusal: assetRefusal(_id, value, rules),
  }));

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
      <OptionPopup noun="asset" search={search} text={text} />
    </Combobox.Root>
  );
}
