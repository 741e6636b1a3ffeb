# One image with the whole workspace: Node runs the TypeScript sources, so only the web is built. Workspace packages must
# not be copied into node_modules, because Node strips no types there. API and worker differ by their command.
# The base image needs Node 20 or newer and npm; the product runs on the Node that the lockfile pins.
ARG BASE_IMAGE=node:24-bookworm-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm install --global pnpm@12.21.0 \
 && pnpm install --frozen-lockfile \
 && pnpm run build \
 && CI=true pnpm install --frozen-lockfile --prod

FROM ${BASE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
# A fixed id, so that volumes keep their owner with any base image.
RUN groupadd --system --gid 10001 riskboard \
 && useradd --system --uid 10001 --gid riskboard --no-create-home riskboard \
 && install -d -o riskboard -g riskboard -m 0700 /data
COPY --from=build /app /app
USER riskboard
VOLUME /data
EXPOSE 3000
CMD ["node", "api/src/main.ts"]
