// npm run test:deploy: validates the manifests and the chart of deploy/, and runs its proxies on Debian's programs. It installs
// schemas and unpacks programs, so `npm test` leaves it out.

import { join } from 'node:path'
import { unpackPackages } from '../../scripts/local/debian.ts'
import { installApart } from '../../scripts/processes/install-apart.ts'
import { run } from '../../scripts/processes/run.ts'
import { endWithWords, root } from '../../scripts/setup.mjs'

const folder = import.meta.dirname
const programs = join(root, '.cache', 'proxies')
/** The programs, and the libraries that HAProxy needs. */
const libraries = ['liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1']
const packages = ['caddy', 'haproxy', 'nginx', 'unzip', ...libraries]

const { ok, output } = await installApart(folder, 'the schemas')
const failure = ok ? await unpackPackages(packages, programs) : output
if (failure !== undefined) endWithWords(failure)
const result = await run(
  'vitest',
  ['run', '-c', join(folder, 'vitest.config.ts'), ...process.argv.slice(2)],
  {
    show: true,
    env: { PROXIES: programs },
  },
)
process.exit(result.ok ? 0 : 1)
