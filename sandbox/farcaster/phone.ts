/**
 * People with Farcaster on their phones: who they are, and what their app signs for the page that asks (FIP-11). What a
 * wrong signer does is right in all but one thing.
 */
import { createHash } from 'node:crypto'
import type { Approval, Page } from './channels.ts'
import type { Registry } from './registry.ts'

/** `stolen`: by a key that owns no account. The others are what the message says of itself. */
export const wrongWays = [
  'stolen',
  'wrong-domain',
  'wrong-statement',
  'wrong-nonce',
  'wrong-chain',
  'wrong-account',
] as const
export type WrongWay = (typeof wrongWays)[number]

const digestOf = (name: string) => createHash('sha256').update(`Farcaster of ${name}`).digest('hex')

/** The id of a person is the same at each start, so that a database from an earlier run still knows them. */
export const fidOf = (name: string) => 1_000 + (Number.parseInt(digestOf(name).slice(0, 7), 16) % 1_000_000)

export type Phone = {
  approve: (
    page: Page,
    person: { name: string; nowMs: number; wrong: WrongWay | undefined },
  ) => Promise<Approval>
}

export const createPhone = (registry: Registry): Phone => ({
  async approve(page, { name, nowMs, wrong }) {
    // Loaded by the first who signs: most runs of the sandbox see nobody.
    const { privateKeyToAccount } = await import('viem/accounts')
    const fid = fidOf(name)
    const own = privateKeyToAccount(`0x${digestOf(name)}`)
    await registry.register(fid, own.address)
    const signer = wrong === 'stolen' ? privateKeyToAccount(`0x${digestOf(`thief of ${name}`)}`) : own
    const message = messageOf(page, {
      address: signer.address,
      fid: wrong === 'wrong-account' ? fid + 1 : fid,
      issuedAt: new Date(nowMs).toISOString(),
      ...(wrong === 'wrong-domain' && { domain: 'evil.example' }),
      ...(wrong === 'wrong-statement' && { statement: 'Sign in to evil.example' }),
      ...(wrong === 'wrong-nonce' && { nonce: 'nobodyaskedforthis' }),
      ...(wrong === 'wrong-chain' && { chainId: 1 }),
    })
    const username = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 16)
    return {
      message,
      signature: await signer.signMessage({ message }),
      fid,
      username,
      displayName: name,
      bio: `${name}, in the sandbox`,
      pfpUrl: `https://pictures.example/${username}.png`,
    }
  },
})

type Parts = {
  address: string
  fid: number
  issuedAt: string
  domain?: string
  statement?: string
  nonce?: string
  chainId?: number
}

const messageOf = (
  page: Page,
  { address, fid, issuedAt, domain, statement = 'Farcaster Auth', nonce, chainId = 10 }: Parts,
) =>
  [
    `${domain ?? page.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${page.siweUri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce ?? page.nonce}`,
    `Issued At: ${issuedAt}`,
    'Resources:',
    `- farcaster://fid/${fid}`,
  ].join('\n')
