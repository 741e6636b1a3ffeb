import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '@riskboard/testing';

/** Software rendering and no background traffic, for a machine without a display or network. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: flags });

export { chromiumPath };
