import { assets, jobs, threats, vulnerabilities } from '@riskboard/contract';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { threatDetailOf, vulnerabilityDetailOf } from '../../testing/records.ts';
import { jobOf, newId, threatOf, vulnerabilityOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { toastManager } from '../../ui/feedback/toast.ts';
import { Toaster } from '../../ui/feedback/toaster.tsx';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { newAttempt } from '../../lib/entity/creation.ts';
import type { BulkEditEntity } from '../../lib/entity/entity.ts';
import { threat } from '../../features/threats/threat.ts';
import { vulnerability } from '../../features/vulnerabilities/vulnerability.ts';
import { asset } from '../../features/assets/asset.ts';
import { useDelete, useDeleteMany } from '../../lib/entity/deletions.ts';
import { useCreate, useUpdate, useUpdateMany } from '../../lib/entity/mutations.ts';

useServer();
/** A failure is shown for ten seconds. */
const beforeTimeout = { timeout: 5000 };
afterEach(() => toastManager.close());

const shared = {
  body: { name: 'New', description: 'One.', severity: 5 },
  narrowed: { page: 1, pageSize: 10, sort: '-createdAt', search: 'log' },
  newest: { page: 1, pageSize: 10, sort: '-createdAt' },
};

/** Both entities, with the messages of spec 8. */
const nouns = [
  {
    noun: 'vulnerabilities',
    calls: vulnerabilities,
    rowOf: vulnerabilityOf,
    detailOf: vulnerabilityDetailOf,
    entity: vulnerability,
    said: {
      created: 'Vulnerability created',
      createFailed: 'Failed to create vulnerability. Please try again.',
      updated: 'Vulnerability updated',
      updateFailed: 'Failed to update vulnerability. Please try again.',
      deleted: 'Vulnerability deleted',
      deleteFailed: 'Failed to delete vulnerability. Please try again.',
      deletedMany: ['Vulnerabilities deleted', '2 vulnerabilities were removed.'],
      deleteManyFailed: ['Delete failed', 'Unknown error'],
      restored: 'Vulnerability restored',
    },
  },
  {
    noun: 'threats',
    calls: threats,
    rowOf: threatOf,
    detailOf: threatDetailOf,
    entity: threat,
    said: {
      created: 'Threat created',
      createFailed: 'Error: Failed to create threat. Please try again.',
      updated: 'Threat updated',
      updateFailed: 'Error: Failed to update threat. Please try again.',
      deleted: 'Threat deleted',
      deleteFailed: 'Error: Failed to delete threat. Please try again.',
      deletedMany: ['Threats deleted', '2 threats were successfully deleted.'],
      deleteManyFailed: ['Error: Failed to delete threats. Please try again.'],
      restored: 'Threat restored',
    },
  },
] as const;

const useMutations = (entity: BulkEditEntity) => ({
  create: useCreate(entity),
  update: useUpdate(entity),
  remove: useDelete(entity),
  removeMany: useDeleteMany(entity),
  updateMany: useUpdateMany(entity),
});

interface Page {
  total: number;
  [rows: string]: unknown;
}

describe.each(nouns)('mutations of $noun', ({ noun, calls, entity, rowOf, detailOf, said }) => {
  const key = (query: object) => [noun, 'list', `/api/${noun}`, query];
  const namesIn = (queryClient: QueryClient, query: object) => {
    const page = queryClient.getQueryData<Page>(key(query));
    return {
      total: page?.total,
      names: (page?.[noun] as { name: string }[] | undefined)?.map(({ name }) => name),
    };
  };

  function setUp() {
    const queryClient = createQueryClient();
    const rows = ['One', 'Two', 'Three'].map((name) => rowOf({ name }));
    for (const query of [shared.newest, shared.narrowed]) {
      queryClient.setQueryData(key(query), { [noun]: rows, total: 3, page: 1, pageSize: 10 });
    }
    const { result } = renderHook(() => useMutations(entity), {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    });
    render(<Toaster />);
    return { queryClient, result, ids: rows.map(({ _id }) => _id) };
  }

  /** Delays the server's reply, so that the optimistic change can be seen. */
  function delayedReply() {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { promise, open: resolve };
  }
  const before = ['One', 'Two', 'Three'];

  it('create shows a toast and caches the record for its page', async () => {
    const { queryClient, result } = setUp();
    const detail = detailOf({ name: 'New' });
    server.use(answer(calls.create as typeof vulnerabilities.create, () => detail as never));
    act(() => result.current.create.mutate({ attempt: newAttempt(), body: shared.body }));
    expect(await screen.findByText(said.created)).toBeDefined();
    expect(queryClient.getQueryData([noun, 'detail', detail._id])).toEqual(detail);
  });

  it('create works over plain http, where the browser has no crypto.randomUUID', async () => {
    const getRandomValues = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal('crypto', { getRandomValues });
    const { result } = setUp();
    server.use(
      answer(calls.create as typeof vulnerabilities.create, () => detailOf({ name: 'New' }) as never),
    );
    act(() => result.current.create.mutate({ attempt: newAttempt(), body: shared.body }));
    expect(await screen.findByText(said.created)).toBeDefined();
  });

  it('update changes lists and detail at once and rolls back on failure', async () => {
    const { queryClient, result, ids } = setUp();
    const id = ids[1] ?? '';
    queryClient.setQueryData([noun, 'detail', id], detailOf({ _id: id, name: 'Two' }));
    const held = delayedReply();
    server.use(
      answer(calls.update as typeof vulnerabilities.update, async () => {
        await held.promise;
        return refusal('internal');
      }),
    );
    act(() => result.current.update.mutate({ id, change: { name: 'Second' } }));
    await waitFor(() =>
      expect(namesIn(queryClient, shared.newest).names).toEqual(['One', 'Second', 'Three']),
    );
    expect(namesIn(queryClient, shared.narrowed).names).toEqual(['One', 'Second', 'Three']);
    expect(queryClient.getQueryData([noun, 'detail', id])).toMatchObject({ name: 'Second' });
    held.open();
    expect(await screen.findByText(said.updateFailed)).toBeDefined();
    expect(namesIn(queryClient, shared.newest).names).toEqual(before);
    expect(queryClient.getQueryData([noun, 'detail', id])).toMatchObject({ name: 'Two' });
  });

  it('update sends the seen version and shows no toast when it is stale', async () => {
    const { result, ids } = setUp();
    const sent: (string | null)[] = [];
    server.use(
      answer(calls.update as typeof vulnerabilities.update, ({ request }) => {
        sent.push(request.headers.get('if-match'));
        return sent.length === 1 ? refusal('stale_version') : (detailOf({ _id: ids[0] ?? '' }) as never);
      }),
    );
    const change = { id: ids[0] ?? '', change: { name: 'First' } };
    act(() => result.current.update.mutate({ ...change, version: 7 }));
    await waitFor(() => expect(result.current.update.isError).toBe(true));
    expect(screen.queryByText(said.updateFailed)).toBeNull();
    act(() => result.current.update.mutate(change));
    expect(await screen.findByText(said.updated)).toBeDefined();
    expect(sent).toEqual(['"7"', null]);
  });

  it('delete removes the row at once and restores it on failure', async () => {
    const { queryClient, result, ids } = setUp();
    const held = delayedReply();
    server.use(
      answer(calls.delete as typeof vulnerabilities.delete, async () => {
        await held.promise;
        return refusal('internal');
      }),
    );
    act(() => result.current.remove.mutate(ids[0] ?? ''));
    await waitFor(() => {
      expect(namesIn(queryClient, shared.newest)).toEqual({ total: 2, names: ['Two', 'Three'] });
    });
    held.open();
    expect(await screen.findByText(said.deleteFailed)).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 3, names: before });
  });

  it('delete removes the row also from a list that was loaded before the reply', async () => {
    const { queryClient, result, ids } = setUp();
    const id = ids[0] ?? '';
    const held = delayedReply();
    server.use(
      answer(calls.delete as typeof vulnerabilities.delete, async () => {
        await held.promise;
        return { success: true as const, _id: id, id };
      }),
    );
    const loaded = queryClient.getQueryData<Page>(key(shared.newest));
    act(() => result.current.remove.mutate(id));
    await waitFor(() => expect(namesIn(queryClient, shared.newest).names).toEqual(['Two', 'Three']));
    queryClient.setQueryData(key(shared.newest), loaded);
    held.open();
    expect(await screen.findByText('Deleted “One”.')).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 2, names: ['Two', 'Three'] });
  });

  it('a failed delete restores its row and not one that was deleted after it', async () => {
    const { queryClient, result, ids } = setUp();
    const held = delayedReply();
    server.use(
      answer(calls.delete as typeof vulnerabilities.delete, async ({ params }) => {
        const id = String(params['id']);
        if (id !== ids[0]) return { success: true as const, _id: id, id };
        await held.promise;
        return refusal('internal');
      }),
    );
    act(() => result.current.remove.mutate(ids[0] ?? ''));
    act(() => result.current.remove.mutate(ids[1] ?? ''));
    expect(await screen.findByText('Deleted “Two”.')).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 1, names: ['Three'] });
    held.open();
    expect(await screen.findByText(said.deleteFailed)).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 2, names: ['One', 'Three'] });
  });

  it('a failed update restores its fields and not those that were changed after it', async () => {
    const { queryClient, result, ids } = setUp();
    const id = ids[0] ?? '';
    const held = delayedReply();
    server.use(
      answer(calls.update as typeof vulnerabilities.update, async () => {
        await held.promise;
        return refusal('internal');
      }),
    );
    act(() => result.current.update.mutate({ id, change: { name: 'First' } }));
    await waitFor(() => expect(namesIn(queryClient, shared.newest).names).toContain('First'));
    queryClient.setQueryData(key(shared.newest), (page: Page) => ({ ...page, total: 9 }));
    held.open();
    expect(await screen.findByText(said.updateFailed)).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 9, names: before });
  });

  it('a failed update does not undo a later update of the same field', async () => {
    const { queryClient, result, ids } = setUp();
    const id = ids[0] ?? '';
    const held = delayedReply();
    server.use(
      answer(calls.update as typeof vulnerabilities.update, async ({ request }) => {
        const { name } = (await request.json()) as { name: string };
        if (name === 'Later') return detailOf({ _id: id, name }) as never;
        await held.promise;
        return refusal('internal');
      }),
    );
    act(() => result.current.update.mutate({ id, change: { name: 'First' } }));
    await waitFor(() => expect(namesIn(queryClient, shared.newest).names).toContain('First'));
    act(() => result.current.update.mutate({ id, change: { name: 'Later' } }));
    expect(await screen.findByText(said.updated)).toBeDefined();
    held.open();
    expect(await screen.findByText(said.updateFailed)).toBeDefined();
    expect(namesIn(queryClient, shared.newest).names).toEqual(['Later', 'Two', 'Three']);
  });

  it('the next attempt of an action closes the toast of its failure, and not that of another record', async () => {
    const { result, ids } = setUp();
    const [id = '', other = ''] = ids;
    const once = { create: true, update: true, remove: true, removeMany: true, updateMany: true };
    const fails = (action: keyof typeof once) => once[action] && !(once[action] = false);
    const deleted = { success: true as const, deletedCount: 2, message: 'Deleted.', ids: [] };
    const updated = { success: true as const, updatedCount: 2, unchangedCount: 0, message: 'Changed.' };
    server.use(
      // Before those of one record, whose paths match theirs.
      answer(calls.deleteMany as typeof vulnerabilities.deleteMany, () =>
        fails('removeMany') ? refusal('internal') : deleted,
      ),
      answer(calls.updateMany as typeof vulnerabilities.updateMany, () =>
        fails('updateMany') ? refusal('internal') : (updated as never),
      ),
      answer(calls.create as typeof vulnerabilities.create, () =>
        fails('create') ? new HttpResponse(null, { status: 500 }) : (detailOf({}) as never),
      ),
      answer(calls.update as typeof vulnerabilities.update, ({ params }) =>
        params['id'] === other || fails('update') ? refusal('internal') : (detailOf({ _id: id }) as never),
      ),
      answer(calls.delete as typeof vulnerabilities.delete, () =>
        fails('remove') ? refusal('internal') : { success: true as const, _id: id, id },
      ),
    );
    const attempt = newAttempt();
    const { messages } = entity;
    const { create, update, remove, removeMany, updateMany } = result.current;
    const selection = { ids: [id, other] };
    for (const [start, failure, success] of [
      [() => create.mutate({ attempt, body: shared.body }), said.createFailed, said.created],
      [() => update.mutate({ id, change: { name: 'First' } }), said.updateFailed, said.updated],
      [() => removeMany.mutate(selection), said.deleteManyFailed[0], said.deletedMany[0]],
      [() => updateMany.mutate({ selection, change: {} }), messages.updateManyFailed, messages.updatedMany],
      [() => remove.mutate(id), said.deleteFailed, said.deleted],
    ] as const) {
      act(start);
      await screen.findByText(failure);
      act(start);
      await screen.findByText(success);
      await waitFor(() => expect(screen.queryByText(failure)).toBeNull(), beforeTimeout);
    }
    act(() => update.mutate({ id: other, change: { name: 'Second' } }));
    await screen.findByText(said.updateFailed);
    act(() => toastManager.close());
    await waitFor(() => expect(screen.queryByText(said.updateFailed)).toBeNull());
    act(() => update.mutate({ id: other, change: { name: 'Second' } }));
    await screen.findByText(said.updateFailed);
    act(() => update.mutate({ id, change: { name: 'First' } }));
    await screen.findByText(said.updated);
    expect(screen.getByText(said.updateFailed)).toBeDefined();
  });

  it('without a connection a change fails at once with the reason', async () => {
    const { result, ids } = setUp();
    server.use(answer(calls.delete as typeof vulnerabilities.delete, () => HttpResponse.error()));
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
    act(() => result.current.remove.mutate(ids[0] ?? ''));
    expect(await screen.findByText('Riskboard cannot be reached. Check your connection.')).toBeDefined();
    online.mockRestore();
    window.dispatchEvent(new Event('online'));
  });

  it('Undo restores a deleted record', async () => {
    const { result, ids } = setUp();
    const id = ids[0] ?? '';
    const restored: unknown[] = [];
    server.use(
      answer(calls.delete as typeof vulnerabilities.delete, () => ({ success: true as const, _id: id, id })),
      answer(calls.restore as typeof vulnerabilities.restore, async ({ request }) => {
        restored.push(await request.json());
        return { success: true as const, restoredCount: 1, message: '1 is back.' };
      }),
    );
    act(() => result.current.remove.mutate(id));
    expect(await screen.findByText(said.deleted)).toBeDefined();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(said.restored)).toBeDefined();
    expect(restored).toEqual([{ ids: [id] }]);
  });

  it('Undo says why when nothing was restored', async () => {
    const { result, ids } = setUp();
    const id = ids[0] ?? '';
    const message = '0 were restored. 1 could not be restored: a report created them again.';
    server.use(
      answer(calls.delete as typeof vulnerabilities.delete, () => ({ success: true as const, _id: id, id })),
      answer(calls.restore as typeof vulnerabilities.restore, () => ({
        success: true as const,
        restoredCount: 0,
        message,
      })),
    );
    act(() => result.current.remove.mutate(id));
    await screen.findByText(said.deleted);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.getByText('Nothing was restored')).toBeDefined();
    expect(screen.queryByText(said.restored)).toBeNull();
  });

  it('bulk delete removes rows at once, and Undo restores the ids that the server names', async () => {
    const { queryClient, result, ids } = setUp();
    const deleted = ids.slice(0, 2);
    const restored: unknown[] = [];
    server.use(
      answer(calls.deleteMany as typeof vulnerabilities.deleteMany, () => ({
        success: true as const,
        deletedCount: 2,
        message: '2 were deleted.',
        ids: deleted,
      })),
      answer(calls.restore as typeof vulnerabilities.restore, async ({ request }) => {
        restored.push(await request.json());
        return { success: true as const, restoredCount: 2, message: '2 are back.' };
      }),
    );
    act(() => result.current.removeMany.mutate({ filter: { search: 'log' } }));
    const [title, description = ''] = said.deletedMany;
    expect(await screen.findByText(title)).toBeDefined();
    expect(screen.getByText(description)).toBeDefined();
    // Only the list with the same filter is emptied.
    expect(namesIn(queryClient, shared.narrowed)).toEqual({ total: 0, names: [] });
    await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(restored).toEqual([{ ids: deleted }]));
  });

  it('a failed bulk delete shows the reason and restores the rows', async () => {
    const { queryClient, result, ids } = setUp();
    server.use(
      answer(calls.deleteMany as typeof vulnerabilities.deleteMany, () =>
        HttpResponse.text('proxy', { status: 500 }),
      ),
    );
    act(() => result.current.removeMany.mutate({ ids: ids.slice(0, 2) }));
    const [title, description] = said.deleteManyFailed as readonly [string, string?];
    expect(await screen.findByText(title)).toBeDefined();
    if (description !== undefined) expect(screen.getByText(description)).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 3, names: before });
  });

  it('bulk delete as a job keeps the rows until it ends and shows its outcome', async () => {
    const { queryClient, result } = setUp();
    const job = jobOf({
      _id: newId(),
      kind: 'records.delete',
      state: 'succeeded',
      fileId: null,
      result: {
        matched: 700,
        changed: 700,
        unchanged: 0,
        skipped: [{ reason: 'no longer exists', count: 2 }],
        restorable: 'vulnerabilities',
      },
    });
    const undone: unknown[] = [];
    const restoration = jobOf({
      _id: newId(),
      kind: 'records.restore',
      state: 'succeeded',
      fileId: null,
      result: { matched: 700, changed: 700, unchanged: 0 },
    });
    server.use(
      answer(jobs.restore, ({ params }) => {
        undone.push(params['id']);
        return HttpResponse.json({ jobId: restoration._id, message: 'Restoring.' }, { status: 202 });
      }),
    );
    server.use(
      answer(calls.deleteMany as typeof vulnerabilities.deleteMany, () =>
        HttpResponse.json({ jobId: job._id, message: 'Deleting in the background.' }, { status: 202 }),
      ),
    );
    act(() => result.current.removeMany.mutate({ filter: {} }));
    expect(await screen.findByText('Deleting in the background.')).toBeDefined();
    expect(namesIn(queryClient, shared.newest)).toEqual({ total: 3, names: before });
    act(() => void jobStore.apply(job));
    expect(await screen.findByText(said.deletedMany[0])).toBeDefined();
    expect(screen.getByText('Deleted 700 records, 2 skipped: no longer exists.')).toBeDefined();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Restoring in the background')).toBeDefined();
    expect(undone).toEqual([job._id]);
    act(() => void jobStore.apply(restoration));
    expect(await screen.findByText('Vulnerabilities restored')).toBeDefined();
    expect(screen.getByText('Restored 700 records.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('the toast of a bulk delete has no Undo once the records were restored elsewhere', async () => {
    const { result } = setUp();
    const deleted = { matched: 700, changed: 700, unchanged: 0, restorable: 'vulnerabilities' as const };
    const job = jobOf({
      _id: newId(),
      kind: 'records.delete',
      state: 'succeeded',
      fileId: null,
      result: deleted,
    });
    server.use(
      answer(calls.deleteMany as typeof vulnerabilities.deleteMany, () =>
        HttpResponse.json({ jobId: job._id, message: 'Deleting in the background.' }, { status: 202 }),
      ),
    );
    act(() => result.current.removeMany.mutate({ filter: {} }));
    expect(await screen.findByText('Deleting in the background.')).toBeDefined();
    act(() => void jobStore.apply(job));
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeDefined();
    const restoration = { count: 700, isComplete: true };
    act(() => void jobStore.apply({ ...job, version: job.version + 1, result: { ...deleted, restoration } }));
    expect(await screen.findByText('Deleted 700 records, 700 restored.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('bulk update shows how many records were changed and unchanged', async () => {
    const { result, ids } = setUp();
    const sent: unknown[] = [];
    server.use(
      answer(calls.updateMany as typeof vulnerabilities.updateMany, async ({ request }) => {
        sent.push(await request.json());
        return { success: true as const, updatedCount: 1, unchangedCount: 1, message: '1 changed.' };
      }),
    );
    const change = { categoryId: 2 };
    act(() => result.current.updateMany.mutate({ selection: { ids }, change }));
    expect(await screen.findByText('1 changed. 1 unchanged.')).toBeDefined();
    expect(sent).toEqual([{ ids, change }]);
  });
});

it('a delete of one asset that runs as a job keeps its row until then, and Undo restores it by the job', async () => {
  const queryClient = createQueryClient();
  const id = newId();
  const job = jobOf({
    _id: newId(),
    kind: 'records.delete',
    state: 'succeeded',
    fileId: null,
    result: { matched: 1, changed: 1, unchanged: 0, restorable: 'assets' },
  });
  const undone: unknown[] = [];
  server.use(
    answer(assets.delete, () =>
      HttpResponse.json({ jobId: job._id, message: 'Deleting it later.' }, { status: 202 }),
    ),
    answer(jobs.restore, ({ params }) => {
      undone.push(params['id']);
      return HttpResponse.json({ jobId: newId(), message: 'Restoring.' }, { status: 202 });
    }),
  );
  const key = ['assets', 'list', '/api/assets', shared.newest];
  const page = { assets: [{ _id: id, name: 'Crane' }], total: 1, page: 1, pageSize: 10 };
  queryClient.setQueryData(key, page);
  const { result } = renderHook(() => useDelete(asset), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  render(<Toaster />);
  act(() => result.current.mutate(id));
  expect(await screen.findByText('Deleting it later.')).toBeDefined();
  expect(queryClient.getQueryData(key)).toEqual(page);
  act(() => void jobStore.apply(job));
  expect(await screen.findByText('Asset deleted')).toBeDefined();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Restoring in the background')).toBeDefined();
  expect(undone).toEqual([job._id]);
});
