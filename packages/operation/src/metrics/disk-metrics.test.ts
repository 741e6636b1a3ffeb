import { expect, it } from 'vitest';
import { measureDisk } from './disk-metrics.ts';
import { openMetrics } from './metrics.ts';

it.each(['/', '/nothing/at/all', 'nothing/below/the/working/folder'])(
  'the disk of %s is measured, also before the folder exists',
  async (folder) => {
    const registry = openMetrics();
    measureDisk(registry, folder);
    const text = await registry.metrics();
    expect(text).toMatch(/^riskboard_disk_bytes\{what="free"\} \d/mu);
    expect(text).toMatch(/^riskboard_disk_bytes\{what="size"\} [1-9]/mu);
  },
);
