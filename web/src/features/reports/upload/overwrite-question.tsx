import { formatCount } from '../../../lib/format/format.ts';
import { useState } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import type { Upload } from './upload.ts';
import { uploads as manager, useUploads } from './upload-store.ts';
import type { ClashAnswer } from './upload-manager.ts';

/** Asks whether to replace stored reports with the same names, for all files at once or one by one (spec 4). */
export function OverwriteQuestion() {
  const clashes = useUploads().uploads.filter((upload) => upload.state === 'clash');
  const [current] = clashes;
  if (current === undefined) return null;
  return <Question key={current.id} current={current} count={clashes.length} />;
}

function Question({ current, count }: { current: Upload; count: number }) {
  const [forAll, setForAll] = useState(true);
  const answer = (decision: ClashAnswer) => manager.answer(current.id, decision, forAll);
  return (
    <Dialog
      open
      // Closing the dialog must not replace a report.
      onOpenChange={() => manager.answer(current.id, 'keep', true)}
      title="Overwrite existing file?"
      width={460}
      footer={
        <>
          <Button onClick={() => answer('keep')}>Keep existing</Button>
          <Button variant="danger" onClick={() => answer('replace')}>
            Overwrite
          </Button>
        </>
      }
    >
      <p className="text-base">
        <strong className="font-medium">{current.file.name}</strong> already exists. Overwriting replaces the
        stored report.
      </p>
      {count > 1 && (
        <div className="mt-3">
          <Checkbox
            label={`Apply to all ${formatCount(count)} files that already exist`}
            checked={forAll}
            onChange={setForAll}
          />
        </div>
      )}
    </Dialog>
  );
}
