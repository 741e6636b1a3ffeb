import { Menu } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { RailLinks } from './rail.tsx';

const Drawer = lazy(async () => ({ default: (await import('../../ui/dialog/drawer.tsx')).Drawer }));

/** Opens the rail on small screens. */
export function RailDrawer() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  return (
    <div className="lg:hidden">
      <IconButton
        label="Open navigation"
        icon={<Menu aria-hidden size={18} />}
        aria-haspopup="dialog"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      />
      <Suspense>
        {wanted && (
          <Drawer open={open} onOpenChange={setOpen} title="Riskboard" side="left" width={280}>
            <RailLinks onNavigate={() => setOpen(false)} />
          </Drawer>
        )}
      </Suspense>
    </div>
  );
}
