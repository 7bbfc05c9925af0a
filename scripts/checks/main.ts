import { say } from '../setup.mjs'
import { check } from './check.ts'

say('Checking')
const { passed, failed } = await check()
say(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
