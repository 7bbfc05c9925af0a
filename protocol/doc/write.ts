import { writeFileSync } from 'node:fs'
import { renderProtocol } from './render.ts'

const target = new URL('../../docs/protocol.md', import.meta.url)
writeFileSync(target, renderProtocol())
console.log('Wrote docs/protocol.md')
