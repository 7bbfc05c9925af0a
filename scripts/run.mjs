// node scripts/run.mjs <script> [arguments]: installs missing packages, continues on the project's Node and runs the
// script. npm scripts call it, on Node 18 or later and before anything is installed.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endWithWords, requireNode, root, say, setUp } from './setup.mjs'

const [name = '', ...args] = process.argv.slice(2)

/**
 * `isServed` scripts need no packages for development. An operator's command installs nothing.
 * @typedef {{ load: () => Promise<unknown>, isServed?: boolean, isOperator?: boolean, usage?: string }} Script
 */

/**
 * Returns the `load` of a program that imports `scripts/`. A literal import would be a circle.
 * @type {(path: string) => () => Promise<unknown>}
 */
const program = (path) => () => import(pathToFileURL(join(root, path)).href)

/** @type {Readonly<Record<string, Script>>} */
const scripts = {
  start: {
    load: async () => (await import('./local/local.ts')).runLocalProduct(),
    isServed: true,
    usage: `Usage: npm start

Runs the whole product on this machine: server, demo and a sandbox for every third party. LATCHKEY_PORT_BASE changes
the ports.`,
  },
  serve: {
    load: () => import('./local/serve.ts'),
    isOperator: true,
    usage: `Usage: npm run serve

Hosts Latchkey for your users. Run "npm ci --omit=dev" and "npm run build -- --served" before. The environment
configures it: docs/reference/environment.md lists every variable.`,
  },
  build: {
    load: () => import('./builds/main.ts'),
    isServed: args.includes('--served') || args.includes('--distribution'),
    usage: `Usage: npm run build [-- --stale] [-- --served | --distribution | <folder>…]

Builds every package, or the named ones.

  --served         builds only the pages that a server serves, without packages for development
  --distribution   builds the pages that are stale, and writes server/dist: all that a server needs beside Node
  --stale          builds only packages whose sources are newer than their build`,
  },
  operator: { load: () => import('./local/operator.ts'), isOperator: true },
  dev: { load: () => import('./local/dev.ts') },
  gallery: { load: program('e2e/gallery/main.ts') },
  check: { load: () => import('./checks/main.ts') },
  size: { load: () => import('./sizes/main.ts') },
  bench: { load: program('e2e/bench/main.ts') },
  test: { load: () => import('./test-run/main.ts') },
  deploy: { load: program('deploy/checks/main.ts') },
  clients: { load: program('e2e/clients/main.ts') },
  serializable: { load: program('e2e/soak/serializable.ts') },
  release: {
    load: () => import('./release/release.ts'),
    usage: `Usage: npm run release [-- --key <private key>]

Writes the files of a release to release/<version>: the server, the packages for npm, the list of components, hashes, and
an image if buildah is installed. The commit must be tagged v<version>.

  --key   an Ed25519 key in PEM that signs the hashes`,
  },
  soak: {
    load: program('e2e/soak/main.ts'),
    usage: `Usage: npm run soak -- --kills 100 [--engine sqlite|postgres|both] [--users 8] [--port 4600]
       npm run soak -- --processes 3 [--minutes 3] [--pooler]
       npm run soak -- --upgrade [--from <git ref>] [--minutes 3] [--processes 3] [--pooler]
       npm run soak -- --failover [--failovers 3] [--processes 3]

Disturbs servers under load and checks that everything they acknowledged is still there afterwards.

  --kills       one process, killed at random moments
  --processes   several on one PostgreSQL, behind a balancer: kills, restarts, rotations, stops of the database
  --upgrade     the last release and this one on one database, forwards and back, one process after the other
  --failover    the primary of PostgreSQL dies, and its synchronous standby takes over by Patroni
  --pooler      PgBouncer in transaction mode stands before PostgreSQL`,
  },
  docs: {
    load: () => import('./docs/site.ts'),
    isServed: true,
    usage: `Usage: npm run docs [-- build]

Builds the documentation site and serves it on this machine. The first time installs the packages of site/.

  build   only builds it, to site/dist`,
  },
  'test-docs': { load: () => import('./docs/test-site.ts') },
}

const script =
  scripts[name] ?? endWithWords(`Usage: node scripts/run.mjs ${Object.keys(scripts).join(' | ')}`)
if (script.usage !== undefined && args.some((argument) => argument === '--help' || argument === '-h')) {
  say(script.usage)
} else {
  if (script.isOperator) requireNode()
  else await setUp({ work: !script.isServed })
  process.argv.splice(2, 1)
  await script.load()
}
