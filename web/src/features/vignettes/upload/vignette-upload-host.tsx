import { useStore } from '../../../lib/browser/store.ts';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { vignetteUpload } from './vignette-upload-state.ts';

const VignetteUploadDialog = lazyPart(
  async () => (await import('./vignette-upload-dialog.tsx')).VignetteUploadDialog,
);

/** The upload dialog of vignettes; mounted once, because menus, pages and the palette open it. */
export function VignetteUploadHost() {
  const opened = useStore(vignetteUpload);
  if (opened === null) return null;
  return (
    <VignetteUploadDialog key={opened.id} dropped={opened.file} onClose={() => vignetteUpload.set(null)} />
  );
}
