import { layoutOf, type LayoutInput } from './layout.ts';

self.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => self.postMessage(layoutOf(data)));
