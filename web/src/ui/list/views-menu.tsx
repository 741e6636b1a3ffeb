import type { SavedView } from '@riskboard/contract';
import { BookmarkPlus, Link2, Save, Star, StarOff, Trash2, Bookmark } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { messageOf } from '../../lib/api/errors.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import type { AnyListState } from '../../lib/list/list-state.ts';
import { Button } from '../button/button.tsx';
import { toast } from '../feedback/toast.ts';
import { MenuItem, MenuRadioGroup, MenuSeparator, Menu } from '../popup/menu.tsx';
import { idlePart } from '../layout/idle-part.tsx';
import type { ListControl } from './list-control.ts';
import type { SaveViewDialogProps } from './save-view-dialog.tsx';
import { searchToSave, stateOfView } from './saved-view.ts';
import { type useOpenView, useViewActions } from './use-open-view.ts';

const { Part: SaveViewDialog, useIdleLoad } = idlePart<SaveViewDialogProps>(
  async () => (await import('./save-view-dialog.tsx')).SaveViewDialog,
  null,
);

interface ViewsMenuProps {
  list: ListControl;
  openView: ReturnType<typeof useOpenView>;
  /** Applies a state including its view. */
  onApply: (state: AnyListState) => void;
}

/** Value of the entry without a view. */
const none = '';

/** Menu of saved views: open, change, share by link, delete. */
export function ViewsMenu({ list, openView, onApply }: ViewsMenuProps) {
  const { view, state } = list;
  const { layout, views, open, changed } = openView;
  const actions = useViewActions(view.route);
  useIdleLoad();
  const [saving, setSaving] = useState(false);
  const search = () => searchToSave(view, state, layout);

  async function attempt(work: () => Promise<unknown>, failure: string): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      toast.error(failure, messageOf(error, 'Please try again.'));
      return false;
    }
  }

  async function update({ _id: id, name }: SavedView, change: Partial<SavedView>, said: string) {
    const done = await attempt(() => actions.update.mutateAsync({ id, change }), 'The view was not saved');
    if (done) toast.success(said, name);
  }

  async function remove({ _id: id, name, search: written, isDefault }: SavedView) {
    if (!(await attempt(() => actions.remove.mutateAsync(id), 'The view was not deleted'))) return;
    onApply({ ...state, view: undefined });
    const undo = () =>
      void attempt(
        () => actions.create.mutateAsync({ name, search: written, isDefault }),
        'The view was not restored',
      );
    toast.success('View deleted', name, { action: { label: 'Undo', onClick: undo } });
  }

  async function copyLink({ _id: id }: SavedView) {
    const link = `${window.location.origin}${view.route}?view=${id}`;
    if (await copyText(link)) toast.success('Link copied', 'Members of your organization can open it.');
    else toast.error('Copy failed', link);
  }

  const items = [
    { value: none, label: `All ${view.nouns.many}` },
    ...views.map(({ _id, name, isDefault, own }) => ({
      value: _id,
      label: own ? name : `${name} (shared)`,
      icon: isDefault ? <Star aria-label="Default view" size={14} /> : undefined,
    })),
  ];
  return (
    <>
      <Menu trigger={<ViewsButton name={open?.name} changed={changed} />}>
        <MenuRadioGroup
          label="Views"
          items={items}
          value={open?._id ?? none}
          onChange={(id) => {
            const chosen = views.find(({ _id }) => _id === id);
            onApply(chosen === undefined ? view.initial : stateOfView(view, chosen));
          }}
        />
        <MenuSeparator />
        {open?.own === true && changed && (
          <MenuItem
            icon={<Save aria-hidden size={14} />}
            onSelect={() => void update(open, { search: search() }, 'View saved')}
          >
            Save changes
          </MenuItem>
        )}
        <MenuItem icon={<BookmarkPlus aria-hidden size={14} />} onSelect={() => setSaving(true)}>
          Save as a new view…
        </MenuItem>
        {open !== undefined && (
          <MenuItem icon={<Link2 aria-hidden size={14} />} onSelect={() => void copyLink(open)}>
            Copy link
          </MenuItem>
        )}
        {open?.own === true && (
          <>
            <MenuItem
              icon={open.isDefault ? <StarOff aria-hidden size={14} /> : <Star aria-hidden size={14} />}
              onSelect={() =>
                void update(
                  open,
                  { isDefault: !open.isDefault },
                  open.isDefault ? 'No longer the default view' : 'Set as the default view',
                )
              }
            >
              {open.isDefault ? 'Do not open by default' : 'Open by default'}
            </MenuItem>
            <MenuItem danger icon={<Trash2 aria-hidden size={14} />} onSelect={() => void remove(open)}>
              Delete view
            </MenuItem>
          </>
        )}
      </Menu>
      {saving && (
        <SaveViewDialog
          search={search()}
          create={(body) => actions.create.mutateAsync(body)}
          onSaved={({ _id }) => onApply({ ...state, view: _id })}
          onClose={() => setSaving(false)}
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
export function ViewsButton({ name, changed = false, ...props }: ViewsButtonProps) {
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
