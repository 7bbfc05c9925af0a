import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiRoutes } from '../api/index.ts'
import { hostContract } from '../host/calls.ts'
import { moreDoc } from '../host/more/more.doc.ts'
import { walletContract } from '../wallet/calls.ts'
import { renderProtocol } from './render.ts'

const written = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8')

it('docs/protocol.md is what `npm run protocol:doc` writes from the contracts today', () => {
  expect(written).toBe(renderProtocol())
})

it('names every message of every boundary', () => {
  for (const contract of [hostContract, walletContract]) {
    for (const name of [...Object.keys(contract.parent), ...Object.keys(contract.child)]) {
      expect(written).toContain(`#### \`latchkey:${name}\``)
    }
  }
  for (const { calls } of moreDoc) {
    for (const name of Object.keys(calls)) expect(written).toContain(`#### \`${name}\``)
  }
  for (const route of Object.values(apiRoutes))
    expect(written).toContain(`${route.method} \`/api/v1${route.path}\``)
})
