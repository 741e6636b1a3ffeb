import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the built web, which the api serves. */
export const webFolder = join(import.meta.dirname, '../../../web/dist');

/** Whether the folder has a complete build: index.html is its first page, and a build that fails leaves none. */
export const hasWeb = (folder: string): boolean => existsSync(join(folder, 'index.html'));
