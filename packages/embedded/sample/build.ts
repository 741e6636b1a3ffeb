import { writeFile } from 'node:fs/promises';
import { buildBundle } from './bundle.ts';

/** `node packages/embedded/sample/build.ts`: writes the report anew after its tables have changed. */
const file = new URL('northquay-logistics-2025.json', import.meta.url);

await writeFile(file, `${JSON.stringify(buildBundle(), null, 2)}\n`);
