import { Bookmark } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../button/button.tsx';

interface ViewsButtonProps extends Omit<ComponentProps<typeof Button>, 'icon' | 'aria-label' | 'children'> {
  /** The view that is open. */
  name?: string | undefined;
  /** The list stands otherwise than the view says. */
  changed?: boolean;
}

/** Opens the menu of views; stands alone until the menu has come. */
export function ViewsButton({ name, changed = false, ...props }: ViewsButtonProps) {
  return (
    <Button
      {...props}
      aria-label={name === undefined ? 'Views' : `View: ${name}${changed ? ', changed' : ''}`}
      icon={<Bookmark aria-hidden size={14} fill={name === undefined ? 'none' : 'currentColor'} />}
    >
      <span className="hidden max-w-40 truncate sm:inline">
        {name ?? 'Views'}
        {changed && ' *'}
      </span>
    </Button>
  );
}
