import { createHash } from 'node:crypto'
import { bundle } from './bundle.ts'

/**
 * Bundles the two files of the script tag and returns the integrity hash of the first. The first file pins the
 * second.
 */
export async function bundleScripts() {
  const more = await bundle({ entry: 'lazy/script.ts', format: 'iife' })
  // Hashes do not compress, so the shorter secure one is used.
  const define = {
    SECOND_FILE_INTEGRITY: JSON.stringify(integrityOf(more, 'sha256')),
    SECOND_FILE_FOLDER: JSON.stringify(contentHash(more)),
  }
  const script = await bundle({ entry: 'start/script.ts', format: 'iife', define })
  return { script, more, integrity: integrityOf(script, 'sha384') }
}

const integrityOf = (code: string, algorithm: 'sha256' | 'sha384') =>
  `${algorithm}-${createHash(algorithm).update(code).digest('base64')}`

/** Returns a file's folder in its URL: the content hash under which the server serves it. */
export const contentHash = (code: string) =>
  createHash('sha256').update(code).digest('base64url').slice(0, 22)
