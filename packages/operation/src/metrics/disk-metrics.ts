import { statfs } from 'node:fs/promises';
import type { Registry } from '@prometheus-io/client';
import { existingFolder } from '../disk-space.ts';
import { addGauge } from './add-gauge.ts';

/** Free space and size of the file system of a folder, such as DATA_DIR, which need not exist yet. */
export function measureDisk(registry: Registry, folder: string): void {
  addGauge(registry, {
    name: 'riskboard_disk_bytes',
    help: 'File system of DATA_DIR: space that the product may still use, and its size.',
    labelNames: ['what'] as const,
    async collect() {
      this.reset();
      const disk = await statfs(existingFolder(folder)).catch(() => undefined);
      if (!disk) return;
      this.set({ what: 'free' }, disk.bavail * disk.bsize);
      this.set({ what: 'size' }, disk.blocks * disk.bsize);
    },
  });
}
