import { statfs } from 'node:fs/promises';
import { hasWeb, reservedBytes } from '@riskboard/operation';
import { failed, fine, type Finding, messageOf, warning } from './finding.ts';

/** The oldest release of Node that runs the product's sources without a build (package.json). */
const leastNode = 24;

export function checkNode(version: string): Finding {
  if (Number(version.split('.', 1)[0]) >= leastNode) return fine('node', `version ${version}`);
  return failed(
    'node',
    `version ${version} is too old`,
    `Use Node ${leastNode} or newer; npm start installs it.`,
  );
}

const gib = 1024 ** 3;
const inGib = (bytes: number): string => `${(bytes / gib).toFixed(1)} GiB`;

/** Free space: below 1 GiB or 5 % a warning, below `reservedBytes` a failure. */
export function judgeDisk(folder: string, { free, size }: { free: number; size: number }): Finding {
  const found = `${inGib(free)} of ${inGib(size)} are free for ${folder}`;
  const remedy =
    'Free space on this disk, or move the folder to a larger one; PostgreSQL stops when it is full.';
  if (free < reservedBytes) return failed('disk', found, remedy);
  if (free < gib || free < size / 20) return warning('disk', found, remedy);
  return fine('disk', found);
}

export async function checkDisk(folder: string): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return judgeDisk(folder, { free: bavail * bsize, size: blocks * bsize });
  } catch (error) {
    return failed(
      'disk',
      `${folder} cannot be read: ${messageOf(error)}`,
      'Set DATA_DIR to an existing folder.',
    );
  }
}

/** The pages that an api on this machine serves. */
export const checkWeb = (folder: string): Finding =>
  hasWeb(folder)
    ? fine('web', 'is built')
    : warning(
        'web',
        `${folder} has no index.html: an api of this folder answers every page with 404`,
        'Run pnpm run build, then start the api again; npm start does both.',
      );

/** Seconds by which a service's clock may differ: sessions and delayed jobs depend on it. */
const toleratedSeconds = 2;

/** @param offsetMs the service's clock less this machine's */
export function judgeClock(service: string, offsetMs: number): Finding {
  const seconds = Math.abs(offsetMs / 1000);
  const check = `clock of ${service}`;
  if (seconds <= toleratedSeconds) return fine(check, 'agrees with the clock of this machine');
  const found = `is ${seconds.toFixed(0)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
  const remedy = 'Synchronize both machines with NTP.';
  return seconds > 60 ? failed(check, found, remedy) : warning(check, found, remedy);
}
