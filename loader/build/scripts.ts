import { createHash } from 'node:crypto'
import { bundle } from './bundle.ts'

/**
 * Bundles the files that a server serves: the script of the tag, the ES module, and the second file of both, which
 * they pin. Returns the integrity hash of the script.
 */
export async function bundleScripts() {
  const more = await bundle({ entry: 'lazy/script.ts', format: 'iife' })
  // Hashes do not compress, so the shorter secure one is used.
  const define = {
    SECOND_FILE_INTEGRITY: JSON.stringify(toIntegrity(more, 'sha256')),
    SECOND_FILE_FOLDER: JSON.stringify(contentHash(more)),
  }
  const script = await bundle({ entry: 'start/script.ts', format: 'iife', define })
  const module = await bundle({ entry: 'start/module.ts', format: 'es', define })
  return { script, module, more, integrity: toIntegrity(script, 'sha384') }
}

const toIntegrity = (code: string, algorithm: 'sha256' | 'sha384') =>
  `${algorithm}-${createHash(algorithm).update(code).digest('base64')}`

/** Returns a file's folder in its URL: the content hash under which the server serves it. */
export const contentHash = (code: string) =>
  createHash('sha256').update(code).digest('base64url').slice(0, 22)
