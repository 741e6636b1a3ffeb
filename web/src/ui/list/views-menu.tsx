import type { SavedView } from '@riskboard/contract';
import { Bookmark } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import type { AnyListState } from '../../lib/list/list-state.ts';
import { Button } from '../button/button.tsx';
import { toast } from '../feedback/toast.ts';
import { Menu } from '../popup/menu.tsx';
import { idlePart } from '../layout/idle-part.tsx';
import type { ListControl } from './list-control.ts';
import type { SaveViewDialogProps } from './save-view-dialog.tsx';
import { searchToSave } from './saved-view.ts';
import { type useOpenView, useViewActions } from './use-open-view.ts';
import type { ViewsItemsProps } from './views-items.tsx';

const { Part: SaveViewDialog, useIdleLoad: useSaveViewDialog } = idlePart<SaveViewDialogProps>(
  async () => (await import('./save-view-dialog.tsx')).SaveViewDialog,
  null,
);

const { Part: ViewsItems, useIdleLoad } = idlePart<ViewsItemsProps>(
  async () => (await import('./views-items.tsx')).ViewsItems,
);

export interface ViewsMenuProps {
  list: ListControl;
  openView: ReturnType<typeof useOpenView>;
  /** Applies a state including its view. */
  onApply: (state: AnyListState) => void;
}

/** Menu of saved views: open, change, rename, share by link, delete. */
export function ViewsMenu(props: ViewsMenuProps) {
  const { list, openView, onApply } = props;
  const { view, state } = list;
  const { layout, open, changed } = openView;
  const { create, update, refresh } = useViewActions(view.route);
  const [saving, setSaving] = useState(false);
  const [renamed, setRenamed] = useState<SavedView>();
  useIdleLoad();
  useSaveViewDialog();
  return (
    <>
      <Menu trigger={<ViewsButton name={open?.name} changed={changed} />} onOpen={() => void refresh()}>
        <ViewsItems {...props} onSaveNew={() => setSaving(true)} onRename={setRenamed} />
      </Menu>
      {saving && (
        <SaveViewDialog
          save={(values) => create.mutateAsync({ ...values, search: searchToSave(view, state, layout) })}
          onSaved={({ _id }) => onApply({ ...state, view: _id })}
          onClose={() => setSaving(false)}
        />
      )}
      {renamed !== undefined && (
        <SaveViewDialog
          renamed={renamed}
          save={({ name }) => update.mutateAsync({ id: renamed._id, change: { name } })}
          onSaved={({ name }) => toast.success('View renamed', name)}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </>
  );
}

interface ViewsButtonProps extends Omit<ComponentProps<typeof Button>, 'icon' | 'aria-label' | 'children'> {
  /** The view that is open. */
  name?: string | undefined;
  /** The list differs from the view. */
  changed?: boolean;
}

/** Opens the menu of views, which loads on demand. */
function ViewsButton({ name, changed = false, ...props }: ViewsButtonProps) {
  return (
    <Button
      {...props}
      aria-label={name === undefined ? 'Views' : `View: ${name}${changed ? ', changed' : ''}`}
      icon={<Bookmark aria-hidden size={14} fill={name === undefined ? 'none' : 'currentColor'} />}
    >
      <span className="hidden max-w-40 truncate @min-[52rem]/list:inline">
        {name ?? 'Views'}
        {changed && ' *'}
      </span>
    </Button>
  );
}
