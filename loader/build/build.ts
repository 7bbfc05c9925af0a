/**
 * Builds the package (`npm run build -w loader`): the files that a server serves, the npm modules, and their types. With `--scripts` it builds only the scripts, which is all that a server needs.
 *
 * The second file is built first, because the first file contains its hash.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { bundleModules } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'
import { bundleScripts } from './scripts.ts'

const dist = join(import.meta.dirname, '..', 'dist')
const isWhole = !process.argv.includes('--scripts')

if (isWhole) rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
const { script, module, more, integrity } = await bundleScripts()
write({ 'loader.js': script, 'latchkey.js': module, 'loader-more.js': more })
// `npm run snippet` prints it before the tag.
copyFileSync(join(import.meta.dirname, '..', 'start', 'queue-stub.txt'), join(dist, 'queue-stub.txt'))
writeFileSync(join(dist, 'loader.sri'), `${integrity}\n`)
console.log(`integrity       ${integrity}`)
if (isWhole) {
  write(await bundleModules())
  writeDeclarations(dist)
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, code] of Object.entries(files)) {
    writeFileSync(join(dist, name), code)
    console.log(`${name.padEnd(16)}${code.length} bytes, ${brotliCompressSync(code).length} brotli`)
  }
}
