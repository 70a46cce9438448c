# Node 26 is the newest long-term release. Debian rather than Alpine: docs/decisions/0009-runtime-and-container.md
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --include=dev
COPY . .
# What /healthz names: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN npm run build

# What the server needs beside its own bundle: the native modules, for this system alone.
FROM build AS native
RUN mkdir -p /native/better-sqlite3/prebuilds \
  && cd node_modules/better-sqlite3 \
  && cp -r package.json lib /native/better-sqlite3/ \
  && cp prebuilds/linux-$(node -p process.arch).node /native/better-sqlite3/prebuilds/ \
  && cp -r ../@node-rs /native/ \
  && cd .. && cp -r --parents sharp/package.json sharp/dist detect-libc semver @img/colour \
  @img/sharp-linux-$(node -p process.arch) @img/sharp-libvips-linux-$(node -p process.arch) /native/

FROM node:26-bookworm-slim
# To the container's own network: who publishes the port says to whom.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/esta.db
WORKDIR /app
RUN mkdir /data && chown 1000:1000 /data
COPY package.json node.env ./
COPY --from=native /native ./node_modules
COPY --from=build /app/build ./build
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node fills what memory it finds; with less it collects sooner, and is no slower.
CMD ["node", "--env-file=node.env", "build/server/main.js"]
