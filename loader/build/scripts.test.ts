import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleScripts } from './scripts.ts'

let scripts: Awaited<ReturnType<typeof bundleScripts>>
beforeAll(async () => {
  scripts = await bundleScripts()
}, 60_000)

const hash = (algorithm: string, code: string) =>
  `${algorithm}-${createHash(algorithm).update(code).digest('base64')}`

describe('the scripts of the one-line form', () => {
  it('the first holds the second to the hash of the very file that is served', () => {
    expect(scripts.script).toContain(hash('sha256', scripts.more))
    expect(scripts.integrity).toBe(hash('sha384', scripts.script))
  })

  it('ship the libraries as they are', () => {
    // A sentence of each, as only the library itself writes it.
    expect(scripts.script).toContain('Cannot send message because the MessagePort is not connected')
    expect(scripts.script).toMatch(/Expected \$\{\w+\} but r/)
  })

  it('carry nothing of what only the dialog hears, or only a document prints', () => {
    for (const word of ['termsAndConditionsUrl', 'must_be_authenticated', 'A one-use code of 60 s']) {
      expect(scripts.script).not.toContain(word)
    }
  })
})
