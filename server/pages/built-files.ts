/**
 * What the other packages built, in memory and compressed. When a folder is built anew its files are read anew,
 * and what carries a hash in its name stays for pages that were loaded before.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { pageLimits } from '../limits.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

export type BuiltFile = {
  readonly type: string
  readonly etag: string
  readonly hashed: boolean
  readonly bytes: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}
const packedTypes = new Set(['.png', '.webp', '.woff2'])

/** As the bundler writes it: `name-Ab3_x9Qz.js`. */
const hashedName = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/

export function builtFile(name: string, content: Uint8Array): BuiltFile {
  const extension = extname(name)
  const identity = Uint8Array.from(content)
  const isPacked = packedTypes.has(extension)
  const packed = (pack: () => Uint8Array) => (isPacked ? identity : Uint8Array.from(pack()))
  return {
    type: types[extension] ?? 'application/octet-stream',
    etag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    hashed: hashedName.test(name),
    bytes: {
      identity,
      br: packed(() => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
      gzip: packed(() => gzipSync(content, { level: 9 })),
    },
  }
}

export type BuiltFolder = {
  /** By path below the folder, with a slash in front. */
  readonly file: (path: string) => BuiltFile | undefined
  readonly text: (path: string) => string | undefined
}

/** While a build has removed the `marker` and not yet written it, what was read before is served. */
export function watchBuiltFolder(folder: string, marker: string): BuiltFolder {
  let files: ReadonlyMap<string, BuiltFile> = new Map()
  let readAt = 0

  function current(): ReadonlyMap<string, BuiltFile> {
    const builtAt = statSync(join(folder, marker), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined || builtAt === readAt) return files
    // A build that is still writing would be read by half.
    if (files.size > 0 && Date.now() - builtAt < pageLimits.buildSettlesMs) return files
    const kept = [...files].filter(([, file]) => file.hashed)
    files = new Map([...kept, ...readFiles(folder)])
    readAt = builtAt
    return files
  }

  return {
    // A name with a hash never changes its content, so the folder needs no look.
    file: (path) => {
      const known = files.get(path)
      return known?.hashed ? known : current().get(path)
    },
    text: (path) => {
      const file = current().get(path)
      return file && new TextDecoder().decode(file.bytes.identity)
    },
  }
}

function readFiles(folder: string): (readonly [string, BuiltFile])[] {
  if (!existsSync(folder)) return []
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && extname(entry.name) in types)
      .map((entry) => {
        const file = join(entry.parentPath, entry.name)
        const path = file.slice(folder.length).replaceAll('\\', '/')
        return { file, path }
      })
      // What a bundler notes for itself lies in a folder with a dot.
      .filter(({ path }) => !path.includes('/.'))
      .map(({ file, path }) => [path, builtFile(path, readFileSync(file))])
  )
}
