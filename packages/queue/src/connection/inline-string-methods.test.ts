import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = (name: string): string => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

/** In a process of its own, because the tests share theirs. `%HasFastProperties` is a function of V8 for its own tests. */
const program = (before: string, after: string): string => `
  ${before}
  const { inlineStringMethods } = await import(${source('inline-string-methods.ts')});
  const isFast = () => %HasFastProperties(String.prototype);
  const first = isFast();
  ${after}
  console.log(JSON.stringify([first, isFast()]));`;

const run = (before: string, after: string): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['--allow-natives-syntax', '--input-type=module', '-e', program(before, after)],
      {
        encoding: 'utf8',
      },
    ),
  );

it('the prototype of strings has a fixed shape again after a subclass of String was declared', () => {
  expect(run('class Text extends String {}', 'inlineStringMethods();')).toEqual([false, true]);
});

it('the prototype of strings has a fixed shape in a process that loads the queue', () => {
  expect(run('', `await import(${source('../index.ts')});`)).toEqual([true, true]);
});

it('a prototype of strings with a fixed shape keeps it', () => {
  expect(run('', 'inlineStringMethods();')).toEqual([true, true]);
});
