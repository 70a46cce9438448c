# Node 26 is the newest long-term release. Debian rather than Alpine: docs/decisions/0009-container.md
FROM node:26-bookworm-slim AS build
# better-sqlite3 fetches its native file or, where it cannot, compiles it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --include=dev
COPY . .
RUN npm run build

# What the server needs beside its own bundle: the native module and the two files that find it.
FROM build AS native
RUN mkdir -p /native/better-sqlite3/build/Release \
  && cd node_modules \
  && cp -r better-sqlite3/package.json better-sqlite3/lib /native/better-sqlite3/ \
  && cp better-sqlite3/build/Release/better_sqlite3.node /native/better-sqlite3/build/Release/ \
  && cp -r bindings file-uri-to-path /native/

FROM node:26-bookworm-slim
ENV NODE_ENV=production PORT=3000 DATABASE_URL=file:/data/esta.db
WORKDIR /app
RUN mkdir /data && chown 1000:1000 /data
COPY package.json ./
COPY --from=native /native ./node_modules
COPY --from=build /app/build ./build
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node fills what memory it finds; with less it collects sooner, and is no slower.
CMD ["node", "--max-old-space-size=160", "build/server/main.js"]
