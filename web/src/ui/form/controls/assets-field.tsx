import { type Related, relatedMax } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
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

type AssetsFieldProps = AssetRules & {
  hint?: ReactNode;
  /** How many assets the saved record is related to: the value has not more than `relatedMax` of them. */
  total?: number | undefined;
  /** How to change the relations of a record that has more. */
  otherWay?: string;
};

/**
 * Related assets, across both columns of the section. When the record has more than are shown, they are read-only: a list
 * of those would remove the others.
 */
export function AssetsField({ hint, total = 0, otherWay = 'a bulk edit', ...rules }: AssetsFieldProps) {
  const isPart = total > relatedMax;
  const partHint = `First ${formatCount(relatedMax)} of ${formatCount(total)} by name. Change them with ${otherWay}.`;
  const { id, label, required, value, error, locked, set, leave } = useField<readonly Related[]>();
  return (
    <div className="col-span-full">
      <Field label={label} hint={isPart ? partHint : hint} error={error} required={required}>
        <AssetPicker
          id={id}
          value={value}
          onChange={set}
          onBlur={leave}
          disabled={locked !== undefined || isPart}
          {...rules}
        />
      </Field>
    </div>
  );
}
