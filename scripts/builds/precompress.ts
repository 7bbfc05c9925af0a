// Usage: node scripts/builds/precompress.ts <folder> <file>. Writes a compressed copy beside each file of a
// build, so that the server need not compress it. With LATCHKEY_LOCAL_BUILD it removes the copies instead: a browser of
// this machine needs none. The server detects a new build by the time of <file>, which is set at the end. Node's
// zlib is used, because Vite plugins do not work for the loader, which is not a Vite build.

import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Excludes pages, which the server fills in first, and images and fonts, which are compressed already. */
const compressible = /\.(css|js|json|svg|wasm)$/
const hidden = /(^|[\\/])\./

const encodings: [ending: string, compress: (content: Buffer) => Buffer][] = [
  [
    '.br',
    (content) =>
      brotliCompressSync(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
        },
      }),
  ],
  ['.gz', (content) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION })],
]

const listFiles = (folder: string, name: RegExp) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !hidden.test(relative(folder, file)))

export function precompress(folder: string): void {
  for (const file of listFiles(folder, compressible)) {
    const content = readFileSync(file)
    for (const [ending, compress] of encodings) {
      const compressed = compress(content)
      if (compressed.byteLength < content.byteLength) writeFileSync(file + ending, compressed)
    }
  }
}

export function removeCompressed(folder: string): void {
  for (const file of listFiles(folder, /\.(br|gz)$/)) rmSync(file)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, marker] = process.argv.slice(2)
  if (folder === undefined || marker === undefined) {
    process.stderr.write('node scripts/builds/precompress.ts <folder> <file>\n')
    process.exit(1)
  }
  if (process.env.LATCHKEY_LOCAL_BUILD) removeCompressed(folder)
  else precompress(folder)
  const now = new Date()
  utimesSync(join(folder, marker), now, now)
}
