import { type Browser, chromium } from 'playwright-core';
import { chromiumPath as findChromium } from '@riskboard/testing';

/**
 * Software rendering and no background traffic, for a machine without a display or network. The optimizing compilers, and
 * drawing with emulated graphics hardware, cost more than they save in pages that stay open for seconds: without them the
 * accessibility checks take a fifth less CPU time.
 */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--js-flags=--no-turbofan,--no-maglev',
];

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: flags });

/** The path of Chromium for the journeys, or null. @throws when `CI` is `true` and Chromium is missing */
export const chromiumPath = (): string | null => findChromium('shell');
