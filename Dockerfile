# syntax=docker/dockerfile:1
# The container image of the server: docs/deployment.md. Contains Node, three libraries and the distribution, without a
# shell or a package manager.

# The version of Node in package.json.
ARG NODE_VERSION=24.21.0
# The image of the release that runs now. Its pages and loaders keep working while browsers still have them open.
ARG PREVIOUS=scratch

FROM ${PREVIOUS} AS previous

# The distribution is the same for each architecture.
FROM --platform=${BUILDPLATFORM:-linux/amd64} node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN --mount=type=bind,from=previous,target=/previous \
    for folder in dialog-app/dist wallet-frame/dist dashboard/dist loader/releases; do \
      if [ -d /previous/opt/latchkey/$folder ]; then cp -r /previous/opt/latchkey/$folder $folder; fi; \
    done
RUN --mount=type=cache,target=/npm-cache \
    npm ci --cache=/npm-cache --omit=dev --no-audit --no-fund \
 && npm run build -- --distribution

# Node and the libraries that it links. Scanners read their versions in status.d.
FROM node:${NODE_VERSION}-bookworm-slim AS runtime
RUN mkdir -p /runtime/data /runtime/tmp /runtime/etc /runtime/var/lib/dpkg/status.d \
 && chmod 1777 /runtime/tmp \
 && ldd /usr/local/bin/node | grep -o '/[^ ]*' | xargs cp -L --parents -t /runtime /usr/local/bin/node \
 && cp /etc/nsswitch.conf /runtime/etc/ \
 && echo 'nonroot:x:65532:65532:nonroot:/data:/sbin/nologin' > /runtime/etc/passwd \
 && echo 'nonroot:x:65532:' > /runtime/etc/group \
 && for package in libc6 libgcc-s1 libstdc++6; do dpkg -s $package > /runtime/var/lib/dpkg/status.d/$package; done \
 && chown 65532:65532 /runtime/data && chmod 700 /runtime/data

FROM scratch
ARG NODE_VERSION
ARG VERSION=0.0.0
ARG REVISION=
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="A self-hosted login and wallet dialog" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="node:${NODE_VERSION}-bookworm-slim"
COPY --from=runtime /runtime /
COPY --from=build /build/server/dist /opt/latchkey
ENV HOST=0.0.0.0 \
    PORT=4000 \
    DATA_DIR=/data \
    SOURCE_COMMIT=${REVISION}
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
  CMD ["/usr/local/bin/node", "/opt/latchkey/health-check.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/latchkey/latchkey.mjs"]
CMD ["serve"]
