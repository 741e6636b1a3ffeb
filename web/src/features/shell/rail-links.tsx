import { useLocation } from '@tanstack/react-router';
import { navigation, partOf } from './navigation.ts';
import { RailLink } from './rail-link.tsx';

interface RailLinksProps {
  narrow?: boolean;
  onNavigate?: () => void;
}

/** The way to every page, in the rail and in the drawer of small screens. */
export function RailLinks({ narrow = false, onNavigate }: RailLinksProps) {
  const current = partOf(useLocation({ select: ({ pathname }) => pathname }));
  return (
    <nav aria-label="Main" className="flex min-h-full flex-col gap-4 p-3">
      {navigation.map((group) => {
        const title = 'title' in group ? group.title : undefined;
        return (
          <div key={group.entries[0].to} className={'foot' in group ? 'mt-auto' : undefined}>
            {title !== undefined && !narrow && (
              <h2 className="px-2 pb-1 text-xs font-medium text-muted">{title}</h2>
            )}
            {title !== undefined && narrow && <hr className="mb-4" />}
            <ul className="flex flex-col gap-0.5">
              {group.entries.map((destination) => (
                <li key={destination.to}>
                  <RailLink
                    destination={destination}
                    current={destination === current}
                    narrow={narrow}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
