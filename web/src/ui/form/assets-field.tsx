import type { Related } from '@riskboard/contract';
import type { ReactNode } from 'react';
import { Field } from '../field.tsx';
import type { AssetRules } from './asset-options.ts';
import { AssetPicker } from './asset-picker.tsx';
import { useField } from './use-field.ts';

/** Related assets, over the whole width of the section. */
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
