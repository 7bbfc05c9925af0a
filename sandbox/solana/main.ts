import { parseArgs } from 'node:util'
import { startSolanaNode } from './node.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '4037' } } })
const node = await startSolanaNode({ port: Number(values.port) })
console.log(`Solana: ${node.url}`)
process.on('SIGTERM', () => node.stop().then(() => process.exit(0)))
process.on('SIGINT', () => node.stop().then(() => process.exit(0)))
