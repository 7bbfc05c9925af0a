import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleScripts } from './scripts.ts'

let scripts: Awaited<ReturnType<typeof bundleScripts>>
beforeAll(async () => {
  scripts = await bundleScripts()
}, 60_000)

const hash = (algorithm: string, code: string) =>
  `${algorithm}-${createHash(algorithm).update(code).digest('base64')}`

describe('the files of the script tag', () => {
  it('pin the hash of the served second file in the first file', () => {
    expect(scripts.script).toContain(hash('sha256', scripts.more))
    expect(scripts.integrity).toBe(hash('sha384', scripts.script))
  })

  it('include the libraries unmodified', () => {
    // A sentence of each library that occurs only there.
    expect(scripts.script).toContain('Cannot send message because the MessagePort is not connected')
    expect(scripts.script).toMatch(/Expected \$\{\w+\} but r/)
  })

  it('include no strings that only the dialog or a printed document needs', () => {
    for (const word of ['termsAndConditionsUrl', 'must_be_authenticated', 'A one-use code of 60 s']) {
      expect(scripts.script).not.toContain(word)
    }
  })
})
