import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Person } from './person.ts';

/** A small STIX 2.1 bundle written for the tests; `marker` makes its bytes differ. */
export const bundle = (marker = 'one'): string =>
  JSON.stringify({
    type: 'bundle',
    id: 'bundle--5d0092c5-5f74-4287-9642-33f4c354e56d',
    objects: [
      {
        type: 'vulnerability',
        spec_version: '2.1',
        id: 'vulnerability--0c7b5b88-8ff7-4a4d-aa9d-feb398cd0061',
        created: '2026-01-01T00:00:00.000Z',
        modified: '2026-01-01T00:00:00.000Z',
        name: 'CVE-2026-0001',
        description: marker,
      },
    ],
  });

export const stixXml =
  '<?xml version="1.0"?>\n<stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1" id="example:Package-1" version="1.2"><stix:STIX_Header><stix:Title>Tea &amp; 007</stix:Title></stix:STIX_Header></stix:STIX_Package>';

/** An id that does not exist. */
export const strangeId = (): string => randomUUID();

/** A bundle of at least this many incompressible bytes. */
export function largeBundle(bytes: number): Buffer {
  const noise = randomBytes(Math.ceil(bytes * 0.75)).toString('base64');
  return Buffer.from(`{"type":"bundle","id":"bundle--1","x_noise":"${noise}","objects":[]}`);
}

/** The reply to an upload. */
export interface Uploaded {
  action: string;
  _id: string;
  id: string;
  stixVersion: string | null;
  jobId: string;
}

/** Uploads a report, which must be accepted. */
export async function uploadReport(
  person: Person,
  name: string,
  content: string | Buffer = bundle(name),
): Promise<Uploaded> {
  const answer = await person.upload({ name, content });
  expect(answer.statusCode).toBe(201);
  return answer.json<Uploaded>();
}
