/**
 * The payers of the fees of users. A relay is an account of the operator: its key has a file of its own, and it holds money
 * for fees only. A paymaster and a bundler are services of another company.
 */
import { readFileSync } from 'node:fs'
import type { Hex, PrivateKeyAccount } from 'viem'
import { ConfigError, type ServerConfig } from '../../kernel/config.ts'
import { registryKey } from '../../kernel/registry.ts'
import { missingForChain } from '../chains/chains.ts'
import { type SponsorEntry, sponsorEnvironment } from './environment.ts'

export type Relay = {
  type: 'relay'
  /** Loaded on the first use, because most calls sign nothing. */
  account: () => Promise<PrivateKeyAccount>
  /** Whether the chain has the account contract with its exact code, once that was verified. */
  isContractVerified: boolean
}
/** The services of a chain: https://eips.ethereum.org/EIPS/eip-7769, https://eips.ethereum.org/EIPS/eip-7677 */
export type PaymasterServices = Extract<SponsorEntry, { type: 'erc4337' }> & Pick<Relay, 'isContractVerified'>

export type Sponsor = Relay | PaymasterServices
type Sponsors = ReadonlyMap<number, Sponsor>

export const sponsors = registryKey<Sponsors>('the sponsors')

/** Throws if a key cannot be read, or if a chain has no RPC node. */
export function openSponsors(config: ServerConfig): Sponsors {
  return new Map(
    [...sponsorEnvironment.read(config).SPONSORS].map(([chainId, entry]) => {
      if (missingForChain(chainId)(config).length > 0)
        throw new ConfigError(`SPONSORS needs chain ${chainId} in CHAIN_RPC_URLS.`)
      return [
        chainId,
        entry.type === 'relay' ? createRelay(readKey(entry.file)) : { ...entry, isContractVerified: false },
      ] as const
    }),
  )
}

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

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`SPONSORS: ${file} cannot be read (${Object(cause).code}).`)
  }
}
