import { createHash } from 'node:crypto'
import { bundle } from './bundle.ts'

/** The scripts of the one-line form, of which the first pins the second, and the hash by which a page pins the first. */
export async function bundleScripts() {
  const more = await bundle({ entry: 'more/script.ts', format: 'iife' })
  const define = { MORE_INTEGRITY: JSON.stringify(integrityOf(more)) }
  const script = await bundle({ entry: 'script.ts', format: 'iife', define })
  return { script, more, integrity: integrityOf(script) }
}

const integrityOf = (code: string) => `sha384-${createHash('sha384').update(code).digest('base64')}`
