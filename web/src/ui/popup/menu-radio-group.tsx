import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { menuItemStyle } from './menu-item-style.ts';
import { useMenuParts } from './menu-parts.ts';

interface MenuRadioGroupProps<Value extends string> {
  label: string;
  items: readonly { value: Value; label: string; icon?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of several values, chosen inside a `Menu`. */
export function MenuRadioGroup<Value extends string>({
  label,
  items,
  value,
  onChange,
}: MenuRadioGroupProps<Value>) {
  const Base = useMenuParts();
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 py-1 text-xs text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {items.map((item) => (
          <Base.RadioItem key={item.value} value={item.value} closeOnClick className={menuItemStyle()}>
            {item.icon}
            <span className="grow">{item.label}</span>
            <Base.RadioItemIndicator>
              <Check aria-hidden size={14} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}
