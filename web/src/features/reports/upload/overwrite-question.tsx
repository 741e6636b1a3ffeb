import { formatCount, plural } from '@riskboard/domain';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import type { Upload } from './transfer/upload.ts';
import { uploads as manager, useUploads } from './transfer/upload-store.ts';
import type { ClashAnswer } from './transfer/upload-manager.ts';

/** Asks whether to replace stored reports with the same names, for all files at once or one by one (spec 4). */
export function OverwriteQuestion() {
  const clashes = useUploads().uploads.filter((upload) => upload.state === 'clash');
  const [current] = clashes;
  if (current === undefined) return null;
  return <Question key={current.id} current={current} clashes={clashes} />;
}

interface QuestionProps {
  current: Upload;
  clashes: readonly Upload[];
}

function Question({ current, clashes }: QuestionProps) {
  const [forAll, setForAll] = useState(true);
  const keep = useRef<HTMLButtonElement>(null);
  const answer = (decision: ClashAnswer) => manager.answer(current.id, decision, forAll);
  return (
    <Dialog
      open
      // Closing the dialog must not replace a report.
      onOpenChange={() => manager.answer(current.id, 'keep', true)}
      title="Overwrite existing file?"
      width={460}
      initialFocus={() => keep.current}
      footer={
        <>
          <Button ref={keep} onClick={() => answer('keep')}>
            Keep existing
          </Button>
          <Button variant="danger" onClick={() => answer('replace')}>
            Overwrite
          </Button>
        </>
      }
    >
      <p className="text-base wrap-anywhere">
        {clashes.length > 1 && forAll ? (
          `${plural(clashes.length, 'file')} with these names already exist. Overwriting replaces the stored reports.`
        ) : (
          <>
            <strong className="font-medium">{current.file.name}</strong> already exists. Overwriting replaces
            the stored report.
          </>
        )}
      </p>
      <p className="mt-2 text-sm text-muted">
        Records that the new version no longer contains are removed, unless a person edited them or another
        report has them.
      </p>
      {clashes.length > 1 && (
        <>
          <Names current={forAll ? undefined : current} clashes={clashes} />
          <Checkbox
            label={`Apply to all ${formatCount(clashes.length)} files that already exist`}
            checked={forAll}
            onChange={setForAll}
          />
        </>
      )}
    </Dialog>
  );
}

interface NamesProps {
  /** The file that the answer is about; undefined: all. */
  current: Upload | undefined;
  clashes: readonly Upload[];
}

/** The names of all files that exist. */
function Names({ current, clashes }: NamesProps) {
  return (
    <section
      aria-label="Files that already exist"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region must take the focus (WCAG 2.1.1)
      tabIndex={0}
      className="my-3 max-h-40 overflow-y-auto rounded border bg-sunken px-3 py-2 text-sm"
    >
      <ul>
        {clashes.map(({ id, file }) => (
          <li
            key={id}
            aria-current={id === current?.id}
            className={`truncate py-0.5 ${current !== undefined && id !== current.id ? 'text-muted' : 'font-medium'}`}
            title={file.name}
          >
            {file.name}
          </li>
        ))}
      </ul>
    </section>
  );
}
