/**
 * What the other packages built, in memory. When a folder is built anew its files are read anew, and what carries
 * a hash in its name stays for pages that were loaded before. The build keeps that of the release before on the disk
 * (`scripts/builds/last-release.ts`), so a process that starts after a build has it too.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pageLimits } from './limits.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export type BuiltFile = {
  /** Below its folder, with a slash in front. */
  path: string
  contentHash: string
  etag: string
  hashed: boolean
  /** The key is the path: the file itself, and beside it its compressed forms (`.br`, `.gz`). */
  contents: ReadonlyMap<string, Bytes>
}

/** Pages are no files: they are filled. What is compressed goes out under the name of what it was made from. */
const servedName = /\.(css|ico|js|json|png|svg|wasm|webp|woff2)$/
/** The form of a hashed name as the bundler writes it: `name-Ab3_x9Qz.js`. */
const hashedName = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/
/** What a bundler notes for itself lies in a folder with a dot. */
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
    etag: etagOf(content),
    hashed: hashedName.test(path),
    contents,
  }
}

/** Returns 132 bits of the SHA-256. The build of the loader names its second file by the same hash. */
export const contentHash = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

export const etagOf = (content: Bytes | string): string => `W/"${contentHash(content)}"`

export type BuiltFolder = {
  /** A file by its path below the folder, with a slash in front. */
  file: (path: string) => BuiltFile | undefined
  /** The text of a page. */
  page: (path: string) => string | undefined
}

type FolderContent = {
  files: ReadonlyMap<string, BuiltFile>
  pages: ReadonlyMap<string, string>
}

/** While a build has removed the `marker` and not yet written it, what was read before is served. */
export function watchBuiltFolder(folder: string, marker: string): BuiltFolder {
  let known: FolderContent = { files: new Map(), pages: new Map() }
  let readAt = 0

  function current(): FolderContent {
    const builtAt = statSync(join(folder, marker), { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined || builtAt === readAt) return known
    // A build that is still writing would be read by half.
    if (readAt !== 0 && Date.now() - builtAt < pageLimits.buildSettlesMs) return known
    const { files, pages } = readBuiltFolder(folder)
    const kept = [...known.files, ...readBuiltFolder(join(folder, lastRelease)).files]
    known = { files: new Map([...kept.filter(([, file]) => file.hashed), ...files]), pages }
    readAt = builtAt
    return known
  }

  return {
    // A name with a hash never changes its content, so the folder needs no look.
    file: (path) => {
      const file = known.files.get(path)
      return file?.hashed ? file : current().files.get(path)
    },
    page: (path) => current().pages.get(path),
  }
}

export function readBuiltFolder(folder: string): FolderContent {
  const contents = new Map(existsSync(folder) ? contentsOf(folder) : [])
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

const contentsOf = (folder: string): (readonly [string, Bytes])[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return { file, path: file.slice(folder.length).replaceAll('\\', '/') }
    })
    .filter(({ path }) => !hiddenName.test(path))
    .map(({ file, path }) => [path, Uint8Array.from(readFileSync(file))])
