/**
 * Farcaster users with phones, and the messages that their app signs (FIP-11). Each wrong variant differs
 * from a valid message in one point.
 */
import { createHash } from 'node:crypto'
import type { Approval, ChannelRequest } from './channels.ts'
import type { Registry } from './registry.ts'

/** `stolen` signs with a key that owns no account. The other variants change a field of the message. */
export const wrongWays = [
  'stolen',
  'wrong-domain',
  'wrong-statement',
  'wrong-nonce',
  'wrong-chain',
  'wrong-account',
] as const
export type WrongWay = (typeof wrongWays)[number]

const hashName = (name: string) => createHash('sha256').update(`Farcaster of ${name}`).digest('hex')

/**
 * Returns the account id of a person. It is stable across restarts, so databases of earlier runs stay valid.
 */
export const fidByName = (name: string) =>
  1_000 + (Number.parseInt(hashName(name).slice(0, 7), 16) % 1_000_000)

export type Phone = {
  approve: (
    page: ChannelRequest,
    person: { name: string; nowMs: number; wrong: WrongWay | undefined },
  ) => Promise<Approval>
}

export const createPhone = (registry: Registry): Phone => ({
  async approve(page, { name, nowMs, wrong }) {
    // viem is loaded on first use, because most runs sign nothing.
    const { privateKeyToAccount } = await import('viem/accounts')
    const fid = fidByName(name)
    const own = privateKeyToAccount(`0x${hashName(name)}`)
    await registry.register(fid, own.address)
    const signer = wrong === 'stolen' ? privateKeyToAccount(`0x${hashName(`thief of ${name}`)}`) : own
    const message = formatMessage(page, {
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

const formatMessage = (
  page: ChannelRequest,
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
