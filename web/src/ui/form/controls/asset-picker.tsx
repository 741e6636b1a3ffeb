import type { Related } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Combobox } from '@base-ui/react/combobox';
import { ChevronDown, X } from 'lucide-react';
import { memo, useState } from 'react';
import { Button } from '../../button/button.tsx';
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

/** Chosen assets that are shown at first. */
const firstShown = 20;

const isSameAsset = (a: Related, b: Related): boolean => a._id === b._id;

/**
 * Chooses assets by name, searched on the server. The list is at most 12rem high (spec 2, Asset relationships); assets
 * that cannot be chosen are shown with the reason. Of many chosen assets, the first and those added since are shown. Must
 * be inside a `Field`.
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
  const [folded, setFolded] = useState(firstShown);
  const [all, setAll] = useState(false);
  const shown = all ? value.length : folded;
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
        const assets = next.map(({ _id, name, description }) => ({ _id, name, description }));
        const added = assets.slice(value.length);
        // An added asset comes after those that are shown, where the user sees it and Backspace removes it.
        onChange(added.length === 0 ? assets : value.toSpliced(shown, 0, ...added));
        setFolded(Math.max(folded, Math.min(folded, value.length) + added.length));
        setText('');
      }}
      inputValue={text}
      onInputValueChange={setText}
      open={open}
      // A read-only field would still show the assets.
      onOpenChange={(next) => setOpen(next && !disabled)}
      itemToStringLabel={(asset: Related) => asset.name}
      isItemEqualToValue={isSameAsset}
      readOnly={disabled}
    >
      <Combobox.InputGroup
        data-readonly={disabled ? '' : undefined}
        className="flex min-h-9 items-start rounded border border-line-strong bg-surface transition-colors data-readonly:bg-hover data-readonly:text-muted focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus has-data-invalid:border-danger"
      >
        <Combobox.Chips className="flex min-w-0 grow flex-wrap items-center gap-1 px-1.5 py-1">
          <AssetChips assets={value} shown={shown} disabled={disabled} />
          {value.length > folded && (
            <Button size="sm" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : `Show all ${formatCount(value.length)}`}
            </Button>
          )}
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

interface AssetChipsProps {
  assets: readonly Related[];
  shown: number;
  disabled: boolean;
}

/**
 * The first chosen assets: the combobox finds the asset of a chip by its position. Memoized, because rendering hundreds of
 * chips takes longer than a keystroke.
 */
const AssetChips = memo(function AssetChips({ assets, shown, disabled }: AssetChipsProps) {
  return assets.slice(0, shown).map((asset) => (
    <Combobox.Chip
      key={asset._id}
      aria-label={asset.name}
      className="inline-flex h-6 max-w-full items-center gap-1 rounded bg-hover pl-2 text-sm data-highlighted:bg-accent-soft"
    >
      <span className="truncate last:pr-2">{asset.name}</span>
      {!disabled && (
        <Combobox.ChipRemove
          aria-label={`Remove ${asset.name}`}
          className="flex size-6 shrink-0 items-center justify-center rounded text-muted hover:text-text"
        >
          <X aria-hidden size={12} />
        </Combobox.ChipRemove>
      )}
    </Combobox.Chip>
  ));
});
