import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closure, licenceOf } from './shipped-packages.ts';

/** Packages for one machine only: which of them are installed depends on the machine, so the notices omit their binaries. */
const forOneMachine = /(?:^|[-/+])(?:linux|darwin|win32|android|freebsd|wasm32)[-/]/u;

const licenceFile = /^(?:licen[cs]e|copying|notice)/iu;

function textsOf(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

/**
 * The licence and copyright notices of every package that ships, sorted by name; packages with the same text share it.
 * The notices of binaries are those of the packages that bring them.
 */
export function thirdPartyNotices(): string {
  const byText = new Map<string, string[]>();
  for (const [folder, manifest] of closure()) {
    if (manifest.name.startsWith('@riskboard/') || forOneMachine.test(manifest.name)) continue;
    const licence = licenceOf(manifest);
    const text =
      textsOf(folder).join('\n\n') || `Licence: ${licence} (the package has no file with its text)`;
    const packages = byText.get(text) ?? [];
    packages.push(`${manifest.name}@${manifest.version} (${licence})`);
    byText.set(text, packages);
  }
  const entries = [...byText].map(([text, packages]) => ({
    text,
    packages: [...new Set(packages)].toSorted(),
  }));
  const sorted = entries.toSorted((a, b) => ((a.packages[0] ?? '') < (b.packages[0] ?? '') ? -1 : 1));
  const line = '-'.repeat(80);
  const sections = sorted.map(({ text, packages }) => `${line}\n${packages.join('\n')}\n\n${text}\n`);
  return `Riskboard contains these packages. Written by: pnpm run notices\n\n${sections.join('\n')}`;
}
