import type { CvssEditorProps } from '../../cvss/cvss-editor.tsx';
import { lazyPart } from '../../layout/lazy-part.tsx';
import { useField } from '../use-field.ts';
import { TextField } from './text-field.tsx';

// The editor brings the texts of every metric of every CVSS version.
const CvssEditor = lazyPart(
  async () => (await import('../../cvss/cvss-editor.tsx')).CvssEditor,
  // About as high as the editor, so that the fields below do not move.
  <div className="h-90" />,
);

/** A CVSS vector: chosen metric by metric, or pasted. */
export function VectorField(props: Pick<CvssEditorProps, 'aside' | 'onScore'>) {
  const { id, value, error, locked, set, leave, setPending } = useField<string>();
  if (locked !== undefined) return <TextField code />;
  return (
    <div className="col-span-full min-w-0">
      <CvssEditor
        id={id}
        value={value}
        onChange={set}
        onBlur={leave}
        onPending={setPending}
        error={error}
        {...props}
      />
    </div>
  );
}
