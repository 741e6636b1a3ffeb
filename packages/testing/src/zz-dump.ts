import { readFileSync } from 'node:fs';
import { execSync } from 'node:child_process';
import { parseSync } from 'oxc-parser';
const [dir, kind] = process.argv.slice(2);
const files = execSync(`git ls-files ${dir}`, { encoding: 'utf8' })
  .split('\n')
  .filter((f) => /\.tsx?$/.test(f) && !/routeTree|schema\.ts$|glossary|sample\//.test(f));
function* walk(n: any): any {
  if (!n || typeof n !== 'object') return;
  if (typeof n.type === 'string') yield n;
  for (const v of Object.values(n)) {
    if (Array.isArray(v)) for (const x of v) yield* walk(x);
    else if (v && typeof v === 'object') yield* walk(v);
  }
}
for (const f of files) {
  const isTest =
    /\.test\.|\/testing\/|\/test\//.test(f) ||
    f.startsWith('packages/journey') ||
    f.startsWith('packages/testing');
  const s = readFileSync(f, 'utf8');
  const { program, comments } = parseSync(f, s);
  const line = (at: number) => s.slice(0, at).split('\n').length;
  const out: [number, string, string][] = [];
  if (kind === 'c')
    for (const c of comments)
      out.push([
        c.start,
        '',
        c.value
          .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
          .replace(/^\*+/, '')
          .trim(),
      ]);
  else {
    const tagged = new Set<any>();
    const imp = new Set<any>();
    const titles = new Set<any>();
    for (const n of walk(program)) {
      if (n.type === 'TaggedTemplateExpression') n.quasi.quasis.forEach((q: any) => tagged.add(q));
      if (/^(Import|Export)/.test(n.type) && n.source) imp.add(n.source);
      if (n.type === 'JSXAttribute' && /className|d$|viewBox/.test(n.name.name))
        for (const x of walk(n.value)) imp.add(x);
      if (n.type === 'CallExpression') {
        const cs = s.slice(n.callee.start, n.callee.end).replaceAll(/\s/g, '');
        if (/^(it|test|describe)\b/.test(cs) && n.arguments[0]) {
          titles.add(n.arguments[0]);
        }
        if (/clsx|cn\(|^cn$|tv|^cva$/.test(cs)) for (const x of walk(n.arguments)) imp.add(x);
      }
    }
    for (const n of walk(program)) {
      if (tagged.has(n) || imp.has(n)) continue;
      let t: string | undefined;
      if (n.type === 'JSXText') t = n.value;
      else if (n.type === 'Literal' && typeof n.value === 'string') t = n.value;
      else if (n.type === 'TemplateLiteral' && !tagged.has(n.quasis[0]))
        t = n.quasis.map((q: any) => q.value.raw).join('§');
      if (!t) continue;
      t = t.replaceAll(/\s+/g, ' ').trim();
      const title = titles.has(n);
      if (kind === 't') {
        if (title) out.push([n.start, '', t]);
        continue;
      }
      if (title || isTest) continue;
      if (
        kind === 's' &&
        /[a-z] [a-zA-Z0-9§]|^[A-Z][a-z]+[.…?]?$/.test(t) &&
        !/^(select|insert|update|flex|text-|absolute|grid|inline|size-|h-|w-|px|rounded|border|bg-|fixed|relative|sticky|mt-|min-)/.test(
          t,
        ) &&
        !/(text-|rounded|bg-|border-|px-|py-|gap-|flex )/.test(t)
      )
        out.push([n.start, '', t]);
    }
  }
  if (out.length) {
    console.log(`## ${f}`);
    for (const [at, , t] of out.toSorted((a, b) => a[0] - b[0])) console.log(`${line(at)} ${t}`);
  }
}
