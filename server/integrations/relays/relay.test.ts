import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit'
import { afterAll, expect, test } from 'vitest'
import { parseConfig } from '../../kernel/config.ts'
import { chainEnvironment } from '../chains/chains.ts'
import { sponsorEnvironment } from './environment.ts'
import { openSponsors } from './relay.ts'

const folder = mkdtempSync(join(tmpdir(), 'sponsors-'))
const keyFile = join(folder, 'base.key')
writeFileSync(keyFile, `0x${'11'.repeat(32)}\n`)
const keypairFile = join(folder, 'devnet.json')
/** As `solana-keygen` writes it: the seed, and its public key. */
const seed = new Uint8Array(32).fill(3)
const solanaPayer = await createKeyPairSignerFromPrivateKeyBytes(seed)
const publicKey = getAddressEncoder().encode(solanaPayer.address)
writeFileSync(keypairFile, JSON.stringify([...seed, ...publicKey]))
const otherFile = join(folder, 'other.json')
writeFileSync(otherFile, JSON.stringify([...seed, ...seed]))
afterAll(() => rmSync(folder, { recursive: true }))

const bundler = 'https://bundler.example/v2/8453/rpc?apikey=secret-of-the-bundler'
const paymaster = 'https://paymaster.example/secret-of-the-paymaster'

const open = (sponsors: string) =>
  openSponsors(
    parseConfig(
      { SPONSORS: sponsors, CHAIN_RPC_URLS: '8453=https://node.example 10=https://node.example/op' },
      [chainEnvironment, sponsorEnvironment],
    ),
    { nowMs: () => 0 },
  )

test('opens relays and paymasters of several chains', async () => {
  const { chains: opened } = open(`8453=relay:${keyFile}  10=erc4337:${bundler} ${paymaster}`)
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

test('opens a key pair of solana-keygen and a Kora service', async () => {
  const { clusters } = open(
    `solana:devnet=relay:${keypairFile} solana:mainnet=kora:https://kora.example ${keyFile}`,
  )
  expect([...clusters.keys()]).toEqual(['devnet', 'mainnet'])
  expect(await clusters.get('devnet')?.getAddress()).toBe(solanaPayer.address)
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
  ['an unknown cluster', `solana:localnet=relay:${keypairFile}`],
  ['Kora without a secret', 'solana:mainnet=kora:https://kora.example/secret-of-kora'],
  ['Kora on another chain', `8453=kora:https://kora.example/secret-of-kora ${keyFile}`],
  ['a key pair that does not match', `solana:mainnet=relay:${otherFile}`],
  ['a key of another chain', `solana:mainnet=relay:${keyFile}`],
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
  expect(message).not.toContain('secret-of')
})
