/** Lets the browser download an address of this origin. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Hands a file made here to the browser's downloads. */
export function saveAs(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  saveFrom(address, name);
  // The download has taken its own hold of the content once the click is through.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
