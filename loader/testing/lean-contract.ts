/** The contract as the published loader has it: bundled by the test with the loader's own plugins. */
export { hostContract } from '@latchkey/protocol/host'
export { getDotPath, safeParse } from 'valibot'
