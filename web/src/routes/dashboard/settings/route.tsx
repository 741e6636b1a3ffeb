import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SettingsFrame } from '../../../features/settings/settings-frame.tsx';

export const Route = createFileRoute('/dashboard/settings')({
  staticData: { crumb: 'Settings' },
  component: Settings,
});

function Settings() {
  return (
    <SettingsFrame>
      <Outlet />
    </SettingsFrame>
  );
}
