import { type HostContract, hostContract } from '@latchkey/protocol/host'
import * as v from 'valibot'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

type Lean = { hostContract: HostContract } & Pick<typeof v, 'safeParse' | 'getDotPath'>
let lean: Lean
beforeAll(async () => {
  const code = await bundle({ entry: 'testing/lean-contract.ts', format: 'es' })
  lean = await import(`data:text/javascript,${encodeURIComponent(code)}`)
}, 60_000)

const times = { verifiedAt: 1, firstVerifiedAt: null, latestVerifiedAt: 3 }
const wallet = { type: 'wallet', address: '0x1', chainType: 'ethereum', imported: false, ...times }
const user = {
  id: 'u1',
  createdAt: 1,
  email: { address: 'mira@fieldnotes.app' },
  wallet,
  linkedAccounts: [{ type: 'email', address: 'mira@fieldnotes.app', ...times }, wallet],
  mfaMethods: ['totp'],
  hasAcceptedTerms: true,
}
const login = {
  user,
  isNewUser: true,
  wasAlreadyAuthenticated: false,
  loginMethod: 'email',
  loginAccount: wallet,
}

/** Every schema that the loader runs on what the dialog says. */
const heard = (contract: HostContract) => ({
  event: contract.parent.event.input,
  show: contract.parent.show.input,
  hello: contract.child.hello.output,
  login: contract.child.login.output,
  user: contract.child.user.output,
  accessToken: contract.child.accessToken.output,
  createWallet: contract.child.createWallet.output,
  signMessage: contract.child.signMessage.output,
})
type Heard = keyof ReturnType<typeof heard>

const samples: readonly (readonly [Heard, unknown])[] = [
  ['event', { type: 'ready', authenticated: true }],
  ['event', { type: 'login', user }],
  ['event', { type: 'logout' }],
  ['event', { type: 'user', user: null }],
  ['event', { type: 'tokenGranted', token: 'dropped' }],
  ['event', { type: 'nothing' }],
  ['event', { type: 'ready', authenticated: 'yes' }],
  ['event', null],
  ['show', {}],
  ['show', 'x'],
  ['hello', { protocol: 1, dialog: '0.1.0', authenticated: false }],
  ['hello', { protocol: 1, authenticated: false }],
  ['login', login],
  ['login', { ...login, loginMethod: null, loginAccount: null }],
  ['login', { ...login, user: { ...user, id: 7 } }],
  ['login', { ...login, isNewUser: 1 }],
  ['user', { user: null }],
  ['user', { user: { ...user, createdAt: -1 } }],
  ['user', { user: { ...user, createdAt: 1.5 } }],
  ['user', { user: { ...user, linkedAccounts: [{ ...wallet, verifiedAt: 'today' }] } }],
  ['user', { user: { ...user, linkedAccounts: {} } }],
  ['user', { user: { ...user, email: { address: 'a'.repeat(5_000) } } }],
  ['accessToken', { token: 'a', expiresAt: 5 }],
  ['accessToken', { token: null, expiresAt: null }],
  ['accessToken', { token: 'a', expiresAt: '5' }],
  ['accessToken', { token: 'a' }],
  ['createWallet', { wallet }],
  ['createWallet', { wallet: { ...wallet, type: 'email' } }],
  ['createWallet', {}],
  ['signMessage', { signature: '0x1', address: '0x2' }],
  ['signMessage', { signature: null, address: '0x2' }],
]

describe('the contract in the published loader', () => {
  it.each(samples)('%s: takes, drops, refuses and locates as the contract does: %j', (name, value) => {
    const expected = v.safeParse(heard(hostContract)[name], value)
    const actual = lean.safeParse(heard(lean.hostContract)[name], value)
    expect(actual.success).toBe(expected.success)
    if (expected.success) expect(actual.output).toEqual(expected.output)
    else {
      const [issue] = actual.issues ?? []
      expect(issue && lean.getDotPath(issue)).toBe(v.getDotPath(expected.issues[0]) ?? '')
    }
  })

  it('takes what a later dialog may say: another kind of account, another login method, more fields', () => {
    const account = { type: 'carrier_pigeon', ring: 'NL-2031', ...times }
    const later = { ...login, loginMethod: 'carrier_pigeon', loginAccount: account }
    const { success, output } = lean.safeParse(lean.hostContract.child.login.output, {
      ...later,
      user: { ...user, linkedAccounts: [account], mfaMethods: ['pigeon'] },
    })
    expect(success).toBe(true)
    expect(output).toMatchObject({ loginMethod: 'carrier_pigeon', user: { linkedAccounts: [account] } })
  })

  it('has the deadlines of the contract', () => {
    for (const side of ['parent', 'child'] as const) {
      const deadlines = (contract: HostContract) =>
        Object.entries(contract[side]).map(([name, { deadlineMs }]) => [name, deadlineMs])
      expect(deadlines(lean.hostContract)).toEqual(deadlines(hostContract))
    }
  })

  it('has no sentence of the contract in it', () => {
    for (const row of Object.values(lean.hostContract.child)) {
      expect(Object.keys(row).sort()).not.toContain('says')
      expect(Object.keys(row).sort()).not.toContain('errors')
    }
  })
})
