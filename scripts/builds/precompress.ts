// node scripts/builds/precompress.ts <folder> <file>: writes beside each file of a build what is the same, compressed, so
// that the server need not do it. The file is the one by whose time the server sees a new build; it is set at the end.
// The loader is no Vite build, and Vite's plugins for this reach into its manifest plugin, so Node's zlib does it.

import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Pages are not among them: the server fills them first. Pictures and fonts are compressed already. */
const compressible = /\.(css|js|json|svg|wasm)$/
const hidden = /(^|[\\/])\./

const encodings: readonly (readonly [ending: string, compress: (content: Buffer) => Buffer])[] = [
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

export const precompress = (folder: string): void => {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !hidden.test(relative(folder, file)))
  for (const file of files) {
    const content = readFileSync(file)
    for (const [ending, compress] of encodings) {
      const compressed = compress(content)
      if (compressed.byteLength < content.byteLength) writeFileSync(file + ending, compressed)
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, marker] = process.argv.slice(2)
  if (folder === undefined || marker === undefined) {
    process.stderr.write('node scripts/builds/precompress.ts <folder> <file>\n')
    process.exit(1)
  }
  precompress(folder)
  const now = new Date()
  utimesSync(join(folder, marker), now, now)
}
