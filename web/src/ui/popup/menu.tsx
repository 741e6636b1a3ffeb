import { Menu as Base } from '@base-ui/react/menu';
import { cva } from 'class-variance-authority';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode, RefObject } from 'react';

export interface MenuProps {
  /** A `Button` or `IconButton`; opens the menu. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  onOpen?: () => void;
  /** `MenuItem`, `MenuLink`, `MenuSeparator`, `MenuRadioGroup`. */
  children: ReactNode;
}

/** Actions behind a button. */
export function Menu({ trigger, align = 'end', onOpen, children }: MenuProps) {
  return (
    <Base.Root onOpenChange={(open) => open && onOpen?.()}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup className={popupStyle}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const popupStyle =
  'max-h-(--available-height) min-w-44 overflow-y-auto rounded border bg-raised p-1 shadow-raised transition-opacity outline-none data-ending-style:opacity-0';

interface AnchoredMenuProps {
  /** Where it opens; it receives the focus afterwards. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** A menu that is open while it is rendered, for a button that is loaded before the menu. */
export function AnchoredMenu({ anchor, onClose, children }: AnchoredMenuProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Base.Popup finalFocus={anchor} className={popupStyle}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const itemStyle = cva(
  'flex min-h-8 w-full items-center gap-2 rounded px-2 text-sm outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted',
  {
    variants: {
      danger: {
        true: 'text-danger data-highlighted:bg-danger-soft',
        false: 'text-text data-highlighted:bg-hover',
      },
    },
    defaultVariants: { danger: false },
  },
);

export interface MenuItemProps {
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  /** Why the action is not available; shown below its label. */
  disabledReason?: string | undefined;
  children: ReactNode;
}

/** One action of a `Menu`. */
export function MenuItem({ icon, onSelect, danger = false, disabledReason, children }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabledReason !== undefined}
      className={itemStyle({ danger: danger && disabledReason === undefined })}
    >
      {icon}
      <span className="flex flex-col">
        {children}
        {disabledReason !== undefined && <span className="text-xs">{disabledReason}</span>}
      </span>
    </Base.Item>
  );
}

interface MenuLinkProps {
  icon?: ReactNode;
  /** The link itself, without content: `<Link to="/dashboard/settings" />`. */
  link: ReactElement;
  children: ReactNode;
}

/** A link in a `Menu`, so that it can be opened in a new tab. */
export function MenuLink({ icon, link, children }: MenuLinkProps) {
  return (
    <Base.Item render={link} className={itemStyle()}>
      {icon}
      {children}
    </Base.Item>
  );
}

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
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 py-1 text-xs text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {items.map((item) => (
          <Base.RadioItem key={item.value} value={item.value} closeOnClick className={itemStyle()}>
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

/** A separator between groups of a `Menu`. */
export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}
