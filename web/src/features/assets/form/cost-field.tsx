import { assetEntity } from '@riskboard/contract';
import { costRanges, costText } from '@riskboard/domain';
import { useState } from 'react';
import { numberOf } from '../../../lib/entity/number-text.ts';
import { NumberField } from '../../../ui/form/controls/number-field.tsx';
import { SelectControl } from '../../../ui/form/controls/select-field.tsx';
import { useField } from '../../../ui/form/use-field.ts';

const exact = 'exact';
const ranges = costRanges.map(({ value, label, range }) => ({
  value: `${value}`,
  label: `${label}, ${range}`,
}));
const items = [{ value: '', label: 'Not set' }, ...ranges, { value: exact, label: 'Exact amount' }];

const isRange = (value: string): boolean => value === '' || ranges.some((range) => range.value === value);

/** What pages show for the entered amount. */
function shownAs(value: string): string {
  const amount = numberOf(value);
  return typeof amount === 'number' && amount >= 0 ? `In USD. Shown as ${costText(amount)}.` : 'In USD.';
}

/**
 * A cost: one of the ranges of spec 3, stored as its amount, or an exact amount. An amount that is not that of a range is
 * shown as it is, and stays until the user chooses a range.
 */
export function CostField() {
  const field = useField<string>();
  const { value } = field;
  const [choseExact, setChoseExact] = useState(false);
  const isExact = choseExact || !isRange(value);
  // While it is typed, an exact amount may be that of a range for a moment.
  if (isExact && !choseExact) setChoseExact(true);

  function choose(next: string): void {
    setChoseExact(next === exact);
    if (next !== exact) field.set(next);
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <SelectControl
        {...field}
        id={isExact ? `${field.id}-range` : field.id}
        error={isExact ? undefined : field.error}
        items={items}
        value={isExact ? exact : value}
        onChange={choose}
      />
      {isExact && (
        <NumberField
          {...assetEntity.fields.replacementCost}
          label={`${field.label}, exact amount`}
          step={1000}
          hint={shownAs(value)}
        />
      )}
    </div>
  );
}
