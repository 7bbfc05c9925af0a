import { say } from '../setup.mjs'
import { build, servedPackages } from './build.ts'

const args = process.argv.slice(2)
const isServed = args.includes('--served')
const folders = args.filter((arg) => !arg.startsWith('--'))
const { ok, results } = await build({
  only: isServed ? servedPackages : folders,
  staleOnly: args.includes('--stale'),
  isServed,
})
if (results.length === 0) say('Nothing to build.')
process.exit(ok ? 0 : 1)
