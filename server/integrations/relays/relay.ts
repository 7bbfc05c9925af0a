/** The accounts that pay the fees of users. Each key has a file of its own, and its account holds money for fees only. */
import { readFileSync } from 'node:fs'
import type { Hex, PrivateKeyAccount } from 'viem'
import { ConfigError, type ServerConfig } from '../../kernel/config.ts'
import { registryKey } from '../../kernel/registry.ts'
import { missingForChain } from '../chains/chains.ts'
import { sponsorEnvironment } from './environment.ts'

export type Relay = {
  /** Loaded on the first use, because most calls sign nothing. */
  account: () => Promise<PrivateKeyAccount>
  /** Whether the chain has the account contract with its exact code, once that was verified. */
  isContractVerified: boolean
}
export type Relays = ReadonlyMap<number, Relay>

export const relays = registryKey<Relays>('the relays')

/** Throws if a key cannot be read, or if the chain of a relay has no RPC node. */
export function openRelays(config: ServerConfig): Relays {
  return new Map(
    [...sponsorEnvironment.read(config).SPONSORS].map(([chainId, file]) => {
      if (missingForChain(chainId)(config).length > 0)
        throw new ConfigError(`SPONSORS needs chain ${chainId} in CHAIN_RPC_URLS.`)
      return [chainId, createRelay(readKey(file))] as const
    }),
  )
}

export function createRelay(key: Hex): Relay {
  let account: Promise<PrivateKeyAccount> | undefined
  return {
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
