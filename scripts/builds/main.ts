import { relative } from 'node:path'
import { say } from '../setup.mjs'
import { build, servedPackages } from './build.ts'

const args = process.argv.slice(2)
const isDistribution = args.includes('--distribution')
const isServed = isDistribution || args.includes('--served')
const folders = args.filter((arg) => !arg.startsWith('--'))
const { ok, results } = await build({
  only: isServed ? servedPackages : folders,
  staleOnly: isDistribution || args.includes('--stale'),
  extent: isServed ? 'served' : 'whole',
})
if (ok && isDistribution) {
  const { buildDistribution, distributionFolder } = await import('./distribution.ts')
  await buildDistribution(distributionFolder)
  say(`The distribution of the server is in ${relative(process.cwd(), distributionFolder)}`)
} else if (results.length === 0) say('Nothing to build.')
process.exit(ok ? 0 : 1)
