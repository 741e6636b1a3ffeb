import { chromiumPath } from '@riskboard/testing';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import type { Product } from './product.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Chromium with software rendering. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath('browser') ?? '', args: flags });

/** A new context of the signed-in analyst with an empty cache. */
export async function openWindow(browser: Browser, product: Product): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies(
    product.cookie.split('; ').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return { name, value, url: product.origin };
    }),
  );
  return context;
}
