import { focusMain } from '../../lib/browser/page-focus.ts';
import { Button } from '../button/button.tsx';
import { Notice } from '../feedback/notice.tsx';

interface RestoredNoticeProps {
  /** Undefined when nothing was restored. */
  onDiscard: (() => void) | undefined;
}

/** Says that the form has the unsaved input of a session that ended. */
export function RestoredNotice({ onDiscard }: RestoredNoticeProps) {
  return (
    <output>
      {onDiscard !== undefined && (
        <span className="mb-4 block">
          <Notice>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              Your unsaved changes were restored.
              <Button
                size="sm"
                onClick={() => {
                  onDiscard();
                  focusMain();
                }}
              >
                Discard changes
              </Button>
            </span>
          </Notice>
        </span>
      )}
    </output>
  );
}
