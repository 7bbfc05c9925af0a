import { say } from '../setup.mjs'
import { build } from './build.ts'

const args = process.argv.slice(2)
const { ok, results } = await build({
  only: args.filter((arg) => !arg.startsWith('--')),
  staleOnly: args.includes('--stale'),
})
if (results.length === 0) say('Nothing to build.')
process.exit(ok ? 0 : 1)
