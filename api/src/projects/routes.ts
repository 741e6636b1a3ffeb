import { changedEvent, projects } from '@riskboard/contract';
import {
  deleteProjects,
  facetsOf,
  type Gone,
  type OrganizationTransaction,
  projectSource,
  restoreProjects,
  withOrganization,
} from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { deletedReply, idsOf, recordDeletion } from '../lib/activity/record-deletion.ts';
import { sendVersion } from '../lib/http/if-match.ts';
import { showPage } from '../lib/list.ts';
import { sendExport } from '../lib/list-export.ts';
import { plural } from '../lib/plural.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { nowOrLater } from '../records/bulk.ts';
import { presentProject, type ProjectRow } from './present.ts';
import { createProject, findProject, updateProject } from './write.ts';

const words = { one: 'project', many: 'projects' };
const kind = { noun: 'projects', source: projectSource } as const;
type Action = 'created' | 'updated' | 'deleted';
interface WithAssets {
  projects: Gone[];
  assets: Gone[];
}
interface Moved {
  verb: 'deleted' | 'restored';
  moved: WithAssets;
}

export function projectRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const after = afterCommit(deps, app.log);

  async function tell(caller: Caller, action: Action, changed: { projects: string[]; assets?: string[] }) {
    const { projects: ids, assets = [] } = changed;
    const by = { action, by: caller.accountId };
    const events = [
      ...(ids.length > 0 ? [changedEvent('project.changed', by, ids)] : []),
      ...(assets.length > 0 ? [changedEvent('asset.changed', by, assets)] : []),
    ];
    await after.events(caller.organizationId, events);
  }

  /** Projects go and come with their assets, in one transaction; the log names both. */
  async function record(trx: OrganizationTransaction, caller: Caller, { verb, moved }: Moved) {
    const { projects: rows, assets } = moved;
    const detail = { assets: assets.length };
    await recordDeletion(trx, caller, {
      action: `project.${verb}`,
      noun: 'projects',
      labels: words,
      rows,
      detail,
    });
    return moved;
  }

  async function removeNow(trx: OrganizationTransaction, caller: Caller, ids: string[]) {
    const moved = await deleteProjects(trx, { ids, by: caller.accountId });
    return record(trx, caller, { verb: 'deleted', moved });
  }

  const tellMoved = (caller: Caller, action: Action, moved: WithAssets): Promise<void> =>
    tell(caller, action, { projects: idsOf(moved.projects), assets: idsOf(moved.assets) });

  serve(
    app,
    { tag: 'projects', table: projects },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { rows, ...page } = await showPage(trx, projectSource, { query, present: presentProject });
          return { projects: rows, ...page };
        }),

      facets: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => facetsOf(trx, projectSource, query)),

      export: async ({ query, caller, reply }) =>
        sendExport<ProjectRow>(reply, database, {
          organizationId: caller.organizationId,
          source: projectSource,
          query,
          present: (row) => ({ ...presentProject(row) }),
          name: 'projects',
        }),

      async create({ body, caller, reply }) {
        const row = await withOrganization(database, caller.organizationId, (trx) =>
          createProject(trx, { caller, body }),
        );
        await tell(caller, 'created', { projects: [row.id] });
        reply.header('location', `/api/projects/${row.id}`);
        return sendVersion(reply, presentProject(row));
      },

      get: async ({ params, caller, reply }) =>
        sendVersion(
          reply,
          presentProject(
            await withOrganization(database, caller.organizationId, (trx) => findProject(trx, params.id)),
          ),
        ),

      async update({ params, body, caller, request, reply }) {
        const { project, changed } = await withOrganization(database, caller.organizationId, (trx) =>
          updateProject(trx, { id: params.id, caller, body, request }),
        );
        if (changed) await tell(caller, 'updated', { projects: [params.id] });
        return sendVersion(reply, presentProject(project));
      },

      async delete({ params, caller }) {
        const gone = await withOrganization(database, caller.organizationId, (trx) =>
          removeNow(trx, caller, [params.id]),
        );
        if (gone.projects.length === 0) throw new Failure('not_found', 'Project not found.');
        await tellMoved(caller, 'deleted', gone);
        return { success: true as const, _id: params.id, id: params.id };
      },

      async deleteMany({ body, caller, reply }) {
        const { job, gone } = await withOrganization(database, caller.organizationId, (trx) =>
          nowOrLater({ trx, kind }, { caller, selection: body }, (ids) => removeNow(trx, caller, ids)),
        );
        if (job) return acceptJob(after, { reply, job, message: 'Deleting the projects as a job.' });
        await tellMoved(caller, 'deleted', gone);
        return deletedReply(gone.projects, words);
      },

      async restore({ body, caller }) {
        const back = await withOrganization(database, caller.organizationId, async (trx) =>
          record(trx, caller, { verb: 'restored', moved: await restoreProjects(trx, body.ids) }),
        );
        await tellMoved(caller, 'created', back);
        const { length } = back.projects;
        const message = `${plural(length, words)} ${length === 1 ? 'is' : 'are'} back.`;
        return { success: true as const, restoredCount: length, message };
      },
    },
  );
}
