import { Menu } from 'lucide-react';
import { useState } from 'react';
import { Drawer } from '../../ui/drawer.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RailLinks } from './rail-links.tsx';

/** The rail of small screens, behind a button. */
export function RailDrawer() {
  const [open, setOpen] = useState(false);
  return (
    <div className="lg:hidden">
      <IconButton
        label="Open navigation"
        icon={<Menu aria-hidden size={18} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Drawer open={open} onOpenChange={setOpen} title="Riskboard" side="left" width={280}>
        <RailLinks onNavigate={() => setOpen(false)} />
      </Drawer>
    </div>
  );
}
