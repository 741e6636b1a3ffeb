/** Whether this browser can draw a graph; some have WebGL switched off, and old machines have none. */
export function canDraw(): boolean {
  if (typeof WebGLRenderingContext === 'undefined') return false;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  // Browsers keep few contexts: this one is not needed any more.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
