/** Whether a drag carries files, and not text or a link of the page. */
export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;

/** Without this a browser replaces the page with a file that is dropped outside of a drop zone. */
export function refuseFileDrops(): void {
  function refuse(event: DragEvent): void {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
  }
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}
