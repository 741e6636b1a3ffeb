import { ConflictQuestion, shortened, type Difference } from '../../../ui/dialog/conflict-question.tsx';
import { cellName } from '../scorecard/scorecard.ts';
import { changesOf, draftTexts, type Draft } from './draft.ts';
import type { Conflict } from './use-vignette-form.ts';

interface VignetteConflictProps {
  conflict: Conflict;
  busy: boolean;
  onClose: () => void;
  onReload: () => void;
  onOverwrite: () => void;
}

const shown = (text: string, blank = 'Blank'): string => (text.trim() === '' ? blank : shortened(text));

const cellText = (draft: Draft, index: number): string => {
  const { text = '', notes = '' } = draft.cells[index] ?? {};
  return shown(notes === '' || text === '' ? text : `${text} (${notes})`, 'Not rated');
};

/** Texts and cells that differ between the form and the newest version. */
function differencesOf({ base, mine, theirs }: Conflict['drafts']): Difference[] {
  const changed = changesOf(base, mine);
  const differing = changesOf(theirs, mine);
  return [
    ...differing.texts.map((name) => ({
      label: draftTexts[name],
      yours: changed.texts.includes(name) ? shown(mine[name]) : undefined,
      saved: shown(theirs[name]),
    })),
    ...differing.cells.map((index) => ({
      label: cellName(index),
      yours: changed.cells.includes(index) ? cellText(mine, index) : undefined,
      saved: cellText(theirs, index),
    })),
  ];
}

/** The question about a version of the vignette that another user saved meanwhile. */
export function VignetteConflict({ conflict, busy, onClose, onReload, onOverwrite }: VignetteConflictProps) {
  const { newer, drafts } = conflict;
  return (
    <ConflictQuestion
      changedBy={newer.versions[0]?.by ?? ''}
      description={`Version ${newer.version} was saved while you were editing. Reload it and lose your changes, or overwrite: only the texts and cells that you changed are saved over it.`}
      heading="Field or cell"
      differences={differencesOf(drafts)}
      sameText="Your vignette and the saved one are the same."
      busy={busy}
      onClose={onClose}
      onReload={onReload}
      onOverwrite={onOverwrite}
    />
  );
}
