import type { SavedView } from '@riskboard/contract';
import { BookmarkPlus, Link2, Pencil, Save, Star, StarOff, Trash2 } from 'lucide-react';
import { messageOf } from '../../lib/api/errors.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { nameText } from '../../lib/format/name-text.ts';
import { toast } from '../feedback/toast.ts';
import { MenuItem, MenuRadioGroup, MenuSeparator } from '../popup/menu.tsx';
import { searchToSave, stateOfView } from './saved-view.ts';
import { useViewActions } from './use-open-view.ts';
import type { ViewsMenuProps } from './views-menu.tsx';

/** Value of the entry without a view. */
const none = '';

export interface ViewsItemsProps extends ViewsMenuProps {
  /** Asks for the name of a new view. */
  onSaveNew: () => void;
  /** Asks for another name of a view. */
  onRename: (view: SavedView) => void;
}

/** Items of the menu of saved views; they load apart from the list. */
export function ViewsItems({ list, openView, onApply, onSaveNew, onRename }: ViewsItemsProps) {
  const { view, state } = list;
  const { layout, views, open, changed } = openView;
  const actions = useViewActions(view.route);

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
        () => actions.create.mutateAsync({ _id: id, name, search: written, isDefault }),
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
      label: own ? name : `${nameText(name)} (shared)`,
      icon: isDefault ? <Star aria-label="Default view" size={14} /> : undefined,
    })),
  ];
  return (
    <>
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
          onSelect={() => void update(open, { search: searchToSave(view, state, layout) }, 'View saved')}
        >
          Save changes
        </MenuItem>
      )}
      <MenuItem icon={<BookmarkPlus aria-hidden size={14} />} onSelect={onSaveNew}>
        Save as a new view…
      </MenuItem>
      {open !== undefined && (
        <MenuItem icon={<Link2 aria-hidden size={14} />} onSelect={() => void copyLink(open)}>
          Copy link
        </MenuItem>
      )}
      {open?.own === true && (
        <>
          <MenuItem icon={<Pencil aria-hidden size={14} />} onSelect={() => onRename(open)}>
            Rename…
          </MenuItem>
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
    </>
  );
}
