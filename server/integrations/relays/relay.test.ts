import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseConfig } from '../../kernel/config.ts'
import { chainEnvironment } from '../chains/chains.ts'
import { sponsorEnvironment } from './environment.ts'
import { openSponsors } from './relay.ts'

const folder = mkdtempSync(join(tmpdir(), 'sponsors-'))
const keyFile = join(folder, 'base.key')
writeFileSync(keyFile, `0x${'11'.repeat(32)}\n`)
afterAll(() => rmSync(folder, { recursive: true }))

const bundler = 'https://bundler.example/v2/8453/rpc?apikey=secret-of-the-bundler'
const paymaster = 'https://paymaster.example/secret-of-the-paymaster'

const open = (sponsors: string) =>
  openSponsors(
    parseConfig(
      { SPONSORS: sponsors, CHAIN_RPC_URLS: '8453=https://node.example 10=https://node.example/op' },
      [chainEnvironment, sponsorEnvironment],
    ),
  )

test('opens relays and paymasters of several chains', async () => {
  const opened = open(`8453=relay:${keyFile}  10=erc4337:${bundler} ${paymaster}`)
  const relay = opened.get(8453)
  expect(relay?.type === 'relay' && (await relay.account()).address).toBe(
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  )
  expect(opened.get(10)).toEqual({
    type: 'erc4337',
    bundlerUrl: bundler,
    paymasterUrl: paymaster,
    isContractVerified: false,
  })
})

test.each([
  ['no paymaster', `10=erc4337:${bundler}`],
  ['another entry in place of a paymaster', `10=erc4337:${bundler} 8453=relay:${keyFile}`],
  ['a bundler that is no URL', `10=erc4337:secret-of-the-bundler ${paymaster}`],
  [
    'a paymaster of another protocol',
    `10=erc4337:${bundler} ftp://paymaster.example/secret-of-the-paymaster`,
  ],
  ['a word after the paymaster', `10=erc4337:${bundler} ${paymaster} ${paymaster}`],
  ['an unknown type', `10=bundler:${bundler} ${paymaster}`],
  ['a chain without a node', `1=erc4337:${bundler} ${paymaster}`],
])('rejects %s, in words without an API key', (_name, sponsors) => {
  const message = (() => {
    try {
      return void open(sponsors)
    } catch (error) {
      return String(error)
    }
  })()
  expect(message).toContain('SPONSORS')
  expect(message).not.toContain('secret')
})
