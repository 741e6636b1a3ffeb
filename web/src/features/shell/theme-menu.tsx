import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { MenuRadioGroup, Menu } from '../../ui/popup/menu.tsx';

const choices = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden size={16} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden size={16} /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden size={16} /> },
] as const;

/** Light, dark, or as the machine has it. */
export function ThemeMenu() {
  const theme = useTheme();
  const icon = choices.find(({ value }) => value === theme)?.icon;
  return (
    <Menu trigger={<IconButton label="Theme" icon={icon} />}>
      <MenuRadioGroup label="Theme" items={choices} value={theme} onChange={setTheme} />
    </Menu>
  );
}
