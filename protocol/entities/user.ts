import * as v from 'valibot'
import {
  type HostAccount,
  hostAccountSchema,
  type LinkedAccount,
  linkedAccountSchema,
  toHostAccount,
} from './linked-account.ts'
import { findLoginMethodByAccount } from './login-methods.ts'
import { mfaMethodTypes } from './mfa-methods.ts'
import { epochSeconds, id, text } from './primitives.ts'
import type { ChainType } from './wallets/chain-types.ts'
import { type WalletAccount, walletAccountSchema } from './wallets/wallet-account.ts'

/** The user as the server returns it. */
export const userRecordSchema = v.object({
  id,
  createdAt: epochSeconds,
  linkedAccounts: v.array(linkedAccountSchema),
  mfaMethods: v.array(v.object({ type: v.picklist(mfaMethodTypes), verifiedAt: epochSeconds })),
  hasAcceptedTerms: v.boolean(),
})
export type UserRecord = v.InferOutput<typeof userRecordSchema>
/** A user record with host accounts, for the client mock. */
export type HostUserRecord = Omit<UserRecord, 'linkedAccounts'> & { linkedAccounts: HostAccount[] }

/** The user as a host page receives it: the record plus the most used accounts. */
export const userSchema = v.object({
  id: text,
  createdAt: epochSeconds,
  displayName: text,
  email: v.exactOptional(v.object({ address: text })),
  phone: v.exactOptional(v.object({ number: text })),
  wallet: v.exactOptional(walletAccountSchema),
  farcaster: v.exactOptional(v.object({ fid: v.number(), signerPublicKey: v.exactOptional(text) })),
  linkedAccounts: v.array(hostAccountSchema),
  mfaMethods: v.array(v.picklist(mfaMethodTypes)),
  hasAcceptedTerms: v.boolean(),
})
export type User = v.InferOutput<typeof userSchema>

export function toUser(record: UserRecord | HostUserRecord): User {
  const accounts: readonly (LinkedAccount | HostAccount)[] = record.linkedAccounts
  const email = accounts.find((account) => account.type === 'email')
  const phone = accounts.find((account) => account.type === 'phone')
  const wallet = findEmbeddedWallet(record) ?? accounts.find((account) => account.type === 'wallet')
  const farcaster = accounts.find((account) => account.type === 'farcaster')
  return {
    id: record.id,
    createdAt: record.createdAt,
    displayName: createDisplayName(record),
    ...(email && { email: { address: email.address } }),
    ...(phone && { phone: { number: phone.phoneNumber } }),
    ...(wallet && { wallet }),
    ...(farcaster && {
      farcaster: {
        fid: farcaster.fid,
        ...(farcaster.signerPublicKey && { signerPublicKey: farcaster.signerPublicKey }),
      },
    }),
    linkedAccounts: accounts.map(toHostAccount),
    mfaMethods: record.mfaMethods.map((method) => method.type),
    hasAcceptedTerms: record.hasAcceptedTerms,
  }
}

/**
 * Returns the display name: the verified address or number, else the name at a provider, else a shortened wallet
 * address. Provider names are chosen by users, so they are not unique.
 */
function createDisplayName(record: UserRecord | HostUserRecord): string {
  const accounts: readonly (LinkedAccount | HostAccount)[] = record.linkedAccounts
  const email = accounts.find((account) => account.type === 'email')
  const phone = accounts.find((account) => account.type === 'phone')
  const wallet = accounts.find((account) => account.type === 'wallet' && account.connectorType !== 'embedded')
  const own = findEmbeddedWallet(record) ?? findEmbeddedWallet(record, 'solana')
  return (
    email?.address ??
    phone?.phoneNumber ??
    accounts.map(getProviderName).find(Boolean) ??
    shortenAddress(wallet ?? own) ??
    record.id
  )
}

const usualNames = [['displayName'], ['name'], ['username'], ['email']]

function getProviderName(account: LinkedAccount | HostAccount): string | undefined {
  const fields: Readonly<Record<string, unknown>> = account
  const names = findLoginMethodByAccount(account.type)?.greetedBy ?? usualNames
  const joined = (parts: readonly string[]) => parts.flatMap((part) => fields[part] || []).join(' ')
  return names.map(joined).find(Boolean)
}

const shortenAddress = (account: LinkedAccount | HostAccount | undefined): string | undefined =>
  account?.type === 'wallet' ? `${account.address.slice(0, 6)}…${account.address.slice(-4)}` : undefined

/** Returns the user's embedded wallet of a chain. There is at most one. */
export const findEmbeddedWallet = (
  user: { linkedAccounts: readonly (LinkedAccount | HostAccount)[] },
  chain: ChainType = 'ethereum',
): WalletAccount | undefined =>
  user.linkedAccounts.find(
    (account): account is WalletAccount =>
      account.type === 'wallet' && account.chainType === chain && account.connectorType === 'embedded',
  )
