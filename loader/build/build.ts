/** `npm run build -w loader`: the script of the one-line form, the module for npm, and the types of both. */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { bundle } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'

const dist = join(import.meta.dirname, '..', 'dist')
const [script, module] = await Promise.all([
  bundle({ entry: 'script.ts', format: 'iife' }),
  bundle({ entry: 'index.ts', format: 'es' }),
])
rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
writeFileSync(join(dist, 'loader.js'), script)
writeFileSync(join(dist, 'index.js'), module)
writeDeclarations(dist)

const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`
writeFileSync(join(dist, 'loader.sri'), `${integrity}\n`)
const bytes = (code: string) => `${code.length} bytes, ${brotliCompressSync(code).length} brotli`
console.log(`loader.js  ${bytes(script)}\nindex.js   ${bytes(module)}\nintegrity  ${integrity}`)
