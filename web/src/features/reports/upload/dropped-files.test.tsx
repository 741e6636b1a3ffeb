import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { useServer } from '../../../testing/server.ts';
import { uploads } from './transfer/upload-store.ts';
import { uploadDialog } from './upload-dialog-state.ts';

useServer();

// jsdom has no layout: without a height the virtual list renders no row.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(280);
});

afterEach(() => {
  uploadDialog.set(false);
  uploads.drop();
});

const unreadable = () => new DOMException('A requested file could not be read.', 'NotReadableError');

const fileEntry = (name: string, canBeRead = true) => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (resolve: (file: File) => void, reject: (error: unknown) => void) =>
    canBeRead ? resolve(new File(['{}'], name)) : reject(unreadable()),
});

const folderEntry = (name: string, slices: object[][], canBeRead = true) => ({
  isFile: false,
  isDirectory: true,
  name,
  createReader: () => ({
    readEntries: (resolve: (entries: object[]) => void, reject: (error: unknown) => void) =>
      canBeRead ? resolve(slices.shift() ?? []) : reject(unreadable()),
  }),
});

it('the readable files of dropped folders are added, and a message names the others', async () => {
  fakeApi();
  visit('/dashboard/reports');
  const heading = await screen.findByRole('heading', { name: 'All Uploaded Files' });
  await waitFor(() => {
    fireEvent.dragOver(heading, { dataTransfer: { files: [], items: [], types: ['Files'] } });
    expect(screen.getByText('Drop to upload reports or import a CSV file')).toBeDefined();
  });
  const entries = [
    folderEntry('reports', [
      [fileEntry('first.json'), fileEntry('locked.json', false)],
      [folderEntry('private', [], false), fileEntry('last.json')],
    ]),
  ];
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  fireEvent(heading, createEvent.drop(heading, { dataTransfer: { files: [], items, types: ['Files'] } }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' }));
  await dialog.findByText('first.json');
  expect(uploads.get().uploads.map(({ file }) => file.name)).toEqual(['first.json', 'last.json']);
  await screen.findByText('Some files could not be read');
  expect(screen.getByText('locked.json and private')).toBeDefined();
});
