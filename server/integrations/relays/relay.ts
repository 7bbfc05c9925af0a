/**
 * The payers of the fees of users. A relay is an account of the operator: its key has a file of its own, and it holds money
 * for fees only. A paymaster and a bundler are services of another company.
 */
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SolanaCluster } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Hex, PrivateKeyAccount } from 'viem'
import { ConfigError, type ServerConfig } from '../../kernel/config.ts'
import { createEd25519Key, getEd25519PublicKey } from '../../kernel/ed25519.ts'
import type { Clock } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'
import { missingForChain } from '../chains/chains.ts'
import {
  type PaymasterServices,
  type SolanaSponsorEntry,
  type SponsorEntry,
  sponsorEnvironment,
} from './environment.ts'
import { createKora, createSolanaRelay, type SolanaPayer } from './solana-payers.ts'

export type Relay = {
  type: 'relay'
  /** Loaded on the first use, because most calls sign nothing. */
  account: () => Promise<PrivateKeyAccount>
  /** Whether the chain has the account contract with its exact code, once that was verified. */
  isContractVerified: boolean
}
export type Sponsor = Relay | PaymasterServices

/** The payers by chain, and those of Solana by cluster. */
type Sponsors = {
  chains: ReadonlyMap<number, Sponsor>
  clusters: ReadonlyMap<SolanaCluster, SolanaPayer>
}

export const sponsors = registryKey<Sponsors>('the sponsors')

/** Throws if a key cannot be read, or if a chain has no RPC node. */
export function openSponsors(config: ServerConfig, clock: Clock): Sponsors {
  const { chains, clusters } = sponsorEnvironment.read(config).SPONSORS
  return {
    chains: new Map(
      [...chains].map(([chainId, entry]) => {
        if (missingForChain(chainId)(config).length > 0)
          throw new ConfigError(`SPONSORS needs chain ${chainId} in CHAIN_RPC_URLS.`)
        return [chainId, openSponsor(entry)] as const
      }),
    ),
    clusters: new Map([...clusters].map(([cluster, entry]) => [cluster, openPayer(entry, clock)] as const)),
  }
}

const openSponsor = (entry: SponsorEntry): Sponsor =>
  entry.type === 'relay' ? createRelay(readKey(entry.file)) : { ...entry, isContractVerified: false }

const openPayer = (entry: SolanaSponsorEntry, clock: Clock): SolanaPayer =>
  entry.type === 'relay'
    ? createSolanaRelay(readKeypair(entry.file))
    : createKora({ url: entry.url, secret: readText(entry.file).trim() }, clock)

export function createRelay(key: Hex): Relay {
  let account: Promise<PrivateKeyAccount> | undefined
  return {
    type: 'relay',
    account: () => {
      account ??= import('viem/accounts').then(({ privateKeyToAccount }) => privateKeyToAccount(key))
      return account
    },
    isContractVerified: false,
  }
}

function readKey(file: string): Hex {
  const key = readText(file).trim()
  if (/^0x[0-9a-f]{64}$/i.test(key)) return key as Hex
  throw new ConfigError(`SPONSORS: ${file} must contain a private key: 0x and 64 hexadecimal digits.`)
}

/** The file of `solana-keygen`: the seed and the public key. */
const keypair = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
  v.length(64),
)
const SEED_BYTES = 32

function readKeypair(file: string): KeyObject {
  const { success, output } = v.safeParse(keypair, readText(file))
  const bytes = Buffer.from(success ? output : [])
  const key = success ? createEd25519Key(bytes.subarray(0, SEED_BYTES)) : undefined
  if (key && getEd25519PublicKey(key).equals(bytes.subarray(SEED_BYTES))) return key
  throw new ConfigError(`SPONSORS: ${file} must contain a key pair of solana-keygen: 64 numbers in JSON.`)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`SPONSORS: ${file} cannot be read (${Object(cause).code}).`)
  }
}
