import { createHash } from 'node:crypto'
import { bundle } from './bundle.ts'

/** The scripts of the one-line form, of which the first pins the second, and the hash by which a page pins the first. */
export async function bundleScripts() {
  const more = await bundle({ entry: 'lazy/script.ts', format: 'iife' })
  // A hash does not compress: of two that nobody can answer with another file, the shorter.
  const define = {
    SECOND_FILE_INTEGRITY: JSON.stringify(integrityOf(more, 'sha256')),
    SECOND_FILE_FOLDER: JSON.stringify(contentHash(more)),
  }
  const script = await bundle({ entry: 'start/script.ts', format: 'iife', define })
  return { script, more, integrity: integrityOf(script, 'sha384') }
}

const integrityOf = (code: string, algorithm: 'sha256' | 'sha384') =>
  `${algorithm}-${createHash(algorithm).update(code).digest('base64')}`

/** Returns the folder of a file in its address, which is the hash by which the server serves it. */
export const contentHash = (code: string) =>
  createHash('sha256').update(code).digest('base64url').slice(0, 22)
