/**
 * Serves each loader file under its content hash, so one address never has other bytes. A page that pins a loader keeps
 * working after an upgrade and after a rollback, because every server stores its loader in the database.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'
import { type BuiltFile, builtFile, readBuiltFolder, watchBuiltFolder } from '../../kernel/built-files.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { loaderLimits } from './limits.ts'
import { findLoaderFile, insertLoaderFiles } from './store.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

export const loaderName = 'loader.js'
export const moduleName = 'latchkey.js'
/** The script, the ES module and their lazily loaded second file. No other file of the build is served. */
const servedNames: readonly string[] = [loaderName, moduleName, 'loader-more.js']
/** The form of `contentHash`. */
const hashForm = /^[A-Za-z0-9_-]{22}$/

export type Loaders = {
  /** The script or the ES module of this build. */
  newest: (name: typeof loaderName | typeof moduleName) => BuiltFile | undefined
  /** A file of this build, or of an earlier one that the build kept. */
  shipped: (folder: string, name: string) => BuiltFile | undefined
  /** A file that any server on this database has shipped. */
  stored: (folder: string, name: string) => Promise<BuiltFile | undefined>
}

type LoaderContext = Pick<ServerContext, 'config' | 'db' | 'log'>

export function openLoaders({ config, db, log }: LoaderContext): Loaders {
  const { newest, files } = watchLoader(config.loaderDist)
  const earlier = readReleases(join(dirname(config.loaderDist), 'releases'))
  const cache = new Map<string, BuiltFile>()

  async function readStored(hash: string, name: string): Promise<BuiltFile | undefined> {
    const compressed = await findLoaderFile(db, hash, name)
    if (!compressed) return undefined
    const path = `/${name}`
    const content = await decompress(compressed, { maxOutputLength: loaderLimits.maxFileBytes }).catch(
      () => undefined,
    )
    const file =
      content &&
      builtFile(
        path,
        new Map([
          [path, Uint8Array.from(content)],
          [`${path}.br`, Uint8Array.from(compressed)],
        ]),
      )
    if (file?.contentHash === hash) return file
    log.error({ hash, name }, 'A stored loader file does not match its hash, and is not served')
    return undefined
  }

  return {
    newest,
    shipped(folder, name) {
      if (!servedNames.includes(name)) return undefined
      const present = files().find((file) => file.path === `/${name}` && file.contentHash === folder)
      return present ?? earlier.get(folder)?.get(`/${name}`)
    },
    async stored(folder, name) {
      if (!servedNames.includes(name) || !hashForm.test(folder)) return undefined
      const key = `${folder}/${name}`
      const file = cache.get(key) ?? (await readStored(folder, name))
      if (!file) return undefined
      cache.delete(key)
      cache.set(key, file)
      const [oldest = ''] = cache.keys()
      if (cache.size > loaderLimits.cachedFiles) cache.delete(oldest)
      return file
    },
  }
}

/** Returns a function that stores the loader of this build in the database, once for each build. */
export function createLoaderStorage({ config, db, clock }: Pick<ServerContext, 'config' | 'db' | 'clock'>) {
  const { newest, files } = watchLoader(config.loaderDist)
  let lastStored: BuiltFile | undefined

  return async () => {
    const loader = newest(loaderName)
    if (!loader || loader === lastStored) return
    const shipped_at = nowSeconds(clock)
    const rows = files().map(async ({ path, contentHash: hash, contents }) => {
      const compressed = contents.get(`${path}.br`) ?? (await compress(contents.get(path) ?? ''))
      return { hash, name: path.slice(1), content: Buffer.from(compressed).toString('base64url'), shipped_at }
    })
    await insertLoaderFiles(db, await Promise.all(rows))
    lastStored = loader
  }
}

function watchLoader(dist: string) {
  const built = watchBuiltFolder(dist, loaderName)
  return {
    newest: (name: string) => built.file(`/${name}`),
    files: () => servedNames.flatMap((name) => built.file(`/${name}`) ?? []),
  }
}

/**
 * Reads the files that the build kept in `releases/<hash>/`. A folder with another name is a version: releases before
 * content hashes had addresses of that form, and an operator may keep such a loader there.
 */
function readReleases(folder: string): ReadonlyMap<string, ReadonlyMap<string, BuiltFile>> {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return new Map(
    names.map((name) => {
      const files = [...readBuiltFolder(join(folder, name)).files]
      return [
        name,
        new Map(files.filter(([, file]) => !hashForm.test(name) || file.contentHash === name)),
      ] as const
    }),
  )
}
