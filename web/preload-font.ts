import type { Plugin } from 'vite';

/** The font file of Latin text. */
const latin = /inter-latin-400-600-[\w-]+\.woff2$/u;

/**
 * Requests the font with the document. Found in the styles, it arrives after the first paint, and a page that was painted
 * with a wider font moves.
 * @throws when the build has no such file, or several
 */
export const preloadFont = (): Plugin => ({
  name: 'preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const [file, ...others] = Object.keys(bundle).filter((name) => latin.test(name));
      if (file === undefined || others.length > 0)
        throw new Error('The build needs one font file of Latin text.');
      const attributes = {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        crossorigin: '',
        href: `/${file}`,
      };
      return [{ tag: 'link', attrs: attributes, injectTo: 'head-prepend' }];
    },
  },
});
