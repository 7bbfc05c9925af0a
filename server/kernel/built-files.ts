/**
 * Keeps built files of the other packages in memory and reloads them after each build. Hashed files of the previous
 * release stay available for pages that were loaded before. The build keeps those files on disk
 * (`scripts/builds/last-release.ts`), so a process that starts after the build serves them too.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pageLimits } from './limits.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export type BuiltFile = {
  /** The path relative to the folder, with a leading slash. */
  path: string
  contentHash: string
  etag: string
  hashed: boolean
  /** The file and its compressed variants (`.br`, `.gz`), by path. */
  contents: ReadonlyMap<string, Bytes>
}

/**
 * Served file types. HTML pages are templates and served elsewhere; compressed variants are served under the original
 * name.
 */
const servedName = /\.(css|ico|js|json|png|svg|wasm|webp|woff2)$/
/** Matches the hashed names of the bundler: `name-Ab3_x9Qz.js`. */
const hashedName = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/
/** Matches the bundler's metadata, which is in folders that start with a dot. */
const hiddenName = /\/\./
const lastRelease = '.last-release'

const compressedNames = ['.br', '.gz']

export function builtFile(path: string, among: ReadonlyMap<string, Bytes>): BuiltFile {
  const contents = new Map(
    ['', ...compressedNames].flatMap((end) => {
      const content = among.get(path + end)
      return content ? [[path + end, content] as const] : []
    }),
  )
  const content = contents.get(path) ?? ''
  return {
    path,
    contentHash: contentHash(content),
    etag: createEtag(content),
    hashed: hashedName.test(path),
    contents,
  }
}

/** Returns 132 bits of the SHA-256. The loader build names its second file by the same hash. */
export const contentHash = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

export const createEtag = (content: Bytes | string): string => `W/"${contentHash(content)}"`

export type BuiltFolder = {
  /** Returns a file by its path relative to the folder, with a leading slash. */
  file: (path: string) => BuiltFile | undefined
  /** Returns the HTML of a page. */
  page: (path: string) => string | undefined
}

type FolderContent = {
  files: ReadonlyMap<string, BuiltFile>
  pages: ReadonlyMap<string, string>
}

/** A build removes the `marker` first and writes it last. In between, the previous files are served. */
export function watchBuiltFolder(folder: string, marker: string): BuiltFolder {
  let content: FolderContent = { files: new Map(), pages: new Map() }
  let readAt: number | undefined

  function current(): FolderContent {
    const builtAt = statSync(join(folder, marker), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined || builtAt === readAt) return content
    // A build may still be writing; wait until the marker has settled.
    if (readAt !== undefined && Date.now() - builtAt < pageLimits.buildSettlesMs) return content
    const { files, pages } = readBuiltFolder(folder)
    const earlierFiles = [...content.files, ...readBuiltFolder(join(folder, lastRelease)).files]
    content = { files: new Map([...earlierFiles.filter(([, file]) => file.hashed), ...files]), pages }
    readAt = builtAt
    return content
  }

  return {
    // A hashed file never changes, so it is served without a stat.
    file: (path) => {
      const file = content.files.get(path)
      return file?.hashed ? file : current().files.get(path)
    },
    page: (path) => current().pages.get(path),
  }
}

export function readBuiltFolder(folder: string): FolderContent {
  const contents = new Map(existsSync(folder) ? readContents(folder) : [])
  return {
    files: new Map(
      [...contents.keys()]
        .filter((path) => servedName.test(path))
        .map((path) => [path, builtFile(path, contents)]),
    ),
    pages: new Map(
      [...contents]
        .filter(([path]) => path.endsWith('.html'))
        .map(([path, content]) => [path, new TextDecoder().decode(content)]),
    ),
  }
}

const readContents = (folder: string): (readonly [string, Bytes])[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return { file, path: file.slice(folder.length).replaceAll('\\', '/') }
    })
    .filter(({ path }) => !hiddenName.test(path))
    .map(({ file, path }) => [path, Uint8Array.from(readFileSync(file))])
