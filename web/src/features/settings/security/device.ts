/** The first match wins, because browsers also name the browsers that they derive from. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//u, 'Edge'],
  [/\bOPR\/|\bOpera\b/u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\bVivaldi\//u, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//u, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//u, 'Safari'],
] as const;

const systems = [
  [/\biPad\b/u, 'iPadOS', 'mobile'],
  [/\biPhone\b|\biPod\b/u, 'iOS', 'mobile'],
  [/\bAndroid\b/u, 'Android', 'mobile'],
  [/\bCrOS\b/u, 'ChromeOS', 'computer'],
  [/\bWindows\b/u, 'Windows', 'computer'],
  [/\bMac OS X\b|\bMacintosh\b/u, 'macOS', 'computer'],
  [/\bLinux\b|\bX11\b/u, 'Linux', 'computer'],
] as const;

/** Programs other than browsers name themselves first, as in `curl/8.14.1`. */
const program = /^(?<name>[\w.-]{1,40})\//u;

export interface Device {
  /** 'Firefox on Windows', 'Safari', 'curl', 'Unknown device'. */
  readonly name: string;
  readonly kind: 'computer' | 'mobile' | 'program';
}

/** Describes the device of a User-Agent header, which the client can set to any value. */
export function deviceOf(userAgent: string): Device {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [, system, kind = 'computer'] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser !== undefined)
    return { name: system === undefined ? browser : `${browser} on ${system}`, kind };
  const name = program.exec(userAgent)?.groups?.['name'];
  if (name !== undefined && name !== 'Mozilla') return { name, kind: 'program' };
  return { name: system === undefined ? 'Unknown device' : `A browser on ${system}`, kind };
}
