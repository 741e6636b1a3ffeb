import type { Related } from '@riskboard/contract';
import type { ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import { idlePart } from '../../layout/idle-part.tsx';
import type { AssetRules } from './asset-options.ts';
import type { AssetPickerProps } from './asset-picker.tsx';
import { useField } from '../use-field.ts';

const { Part: AssetPicker, useIdleLoad } = idlePart<AssetPickerProps>(
  async () => (await import('./asset-picker.tsx')).AssetPicker,
  <div className="h-9" />,
);

/** Loads the picker when the browser is idle, for pages that open a form in a dialog. */
export { useIdleLoad as useAssetPicker };

/** Related assets, across both columns of the section. */
export function AssetsField({ hint, ...rules }: AssetRules & { hint?: ReactNode }) {
  const { id, label, required, value, error, locked, set, leave } = useField<readonly Related[]>();
  return (
    <div className="col-span-full">
      <Field label={label} hint={hint} error={error} required={required}>
        <AssetPicker
          id={id}
          value={value}
          onChange={set}
          onBlur={leave}
          disabled={locked !== undefined}
          {...rules}
        />
      </Field>
    </div>
  );
}
