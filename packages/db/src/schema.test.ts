import { generate, PostgresDialect } from 'kysely-codegen';
import { expect, it } from 'vitest';
import { openClone } from './testing/open.ts';

/** `pnpm -C packages/db codegen` runs this test with `--update`, which writes the file. */
it('schema.ts is what kysely-codegen generates from the migrated database', async () => {
  const database = await openClone();
  const source = await generate({
    db: database.system,
    dialect: new PostgresDialect({ dateParser: 'string', numericParser: 'number' }),
    excludePattern: 'kysely*',
    typeMapping: { int8: 'number', numeric: 'number' },
  });
  await database.end();
  await expect(source).toMatchFileSnapshot('schema.ts');
});
