import type { Related } from '@riskboard/contract';
import { lazy, Suspense, type ReactNode } from 'react';
import { Field } from '../../input/field.tsx';
import type { AssetRules } from './asset-options.ts';
import { useField } from '../use-field.ts';

const AssetPicker = lazy(async () => ({ default: (await import('./asset-picker.tsx')).AssetPicker }));

/** Related assets, across both columns of the section. */
export function AssetsField({ hint, ...rules }: AssetRules & { hint?: ReactNode }) {
  const { id, label, required, value, error, locked, set, leave } = useField<readonly Related[]>();
  return (
    <div className="col-span-full">
      <Field label={label} hint={hint} error={error} required={required}>
        <Suspense fallback={<div className="h-9" />}>
          <AssetPicker
            id={id}
            value={value}
            onChange={set}
            onBlur={leave}
            disabled={locked !== undefined}
            {...rules}
          />
        </Suspense>
      </Field>
    </div>
  );
}
