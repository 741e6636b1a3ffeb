import type { FastifyRequest } from 'fastify';
import { invalidField } from '../http/failure.ts';
import { firstFile, tooLarge, type UploadedFile } from './store-upload.ts';

/**
 * Reads a small upload into memory. Of a larger one nothing beyond the limit is kept.
 * @throws Failure 413 beyond the limit, 429 or 503 when too many bodies are in memory, 422 for an empty file or more than one, 400 when the form is cut short
 */
export async function readUpload(
  request: FastifyRequest,
  { field, part, rest }: UploadedFile,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    request.server.heldBodies.add(request, chunk.length);
    chunks.push(chunk);
  }
  if (part.file.truncated) throw tooLarge(maxBytes);
  if (size === 0) throw invalidField(field, 'The file is empty.');
  // To the end of the form: a second file after this one is an error, not ignored.
  await firstFile(rest);
  return Buffer.concat(chunks, size);
}
