import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import type { SignerAccounts } from './accounts.ts'
import { endingOfClose, type MadeSigner, type SignerEvent, signerStep, unapproved } from './signer-state.ts'

const after = playing(signerStep)
const accounts: SignerAccounts = { wallet: {} as WalletAccount, fid: 7, publicKey: undefined }
const signer = { publicKey: '0x5a', fid: 7 }
const made = (status: MadeSigner['status'], signerApprovalUrl?: string) =>
  ({ type: 'made', signer: { publicKey: '0x5a', status, signerApprovalUrl } }) as const
const failing = (code: LatchkeyError['code']) =>
  ({ type: 'failed', cause: new LatchkeyError(code, 'failed') }) as const

const toOpening: readonly SignerEvent[] = [
  { type: 'begin' },
  { type: 'found', accounts, approved: undefined },
]
const toWaiting: readonly SignerEvent[] = [
  ...toOpening,
  made('pending_approval', 'https://farcaster.xyz/signer'),
]
const toApproved: readonly SignerEvent[] = [...toWaiting, { type: 'approved', signer }]
const toSuccess: readonly SignerEvent[] = [...toApproved, { type: 'user read' }]
const toFailed: readonly SignerEvent[] = [...toWaiting, failing('share_mismatch')]

describe('the machine of a signer', () => {
  test('goes from the key of the wallet to the approval of its user', () => {
    const ways = [
      [[{ type: 'begin' }], 'finding accounts', ['find accounts']],
      [[{ type: 'begin' }, { type: 'found', accounts, approved: signer }], 'finding accounts', ['end']],
      [toOpening, 'opening', ['make']],
      [toWaiting, 'waiting', ['poll']],
      [[...toOpening, made('approved')], 'approved', ['read user']],
      [[...toOpening, made('revoked')], 'opening', ['make']],
      [[...toOpening, made('revoked'), made('revoked')], 'failed', []],
      [
        [...toOpening, made('revoked'), made('pending_approval', 'https://farcaster.xyz')],
        'waiting',
        ['poll'],
      ],
      [[...toOpening, made('pending_approval')], 'failed', []],
      [toApproved, 'approved', ['read user']],
      [toSuccess, 'success', ['settle', 'hold']],
      [toFailed, 'failed', []],
      [[...toFailed, { type: 'retry' }], 'opening', ['make']],
      [[...toFailed, { type: 'retry' }, made('revoked')], 'opening', ['make']],
    ] satisfies readonly (readonly [readonly SignerEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unapproved, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a retry while the phone is waited for', toWaiting, { type: 'retry' }],
    ['a failure after the account has the key', toApproved, failing('server_unreachable')],
    ['a second approval', toApproved, { type: 'approved', signer }],
  ] satisfies readonly (readonly [string, readonly SignerEvent[], SignerEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unapproved, ...events)
      expect(signerStep(state, event)).toEqual([state])
      expect(signerStep(state, event)[0]).toBe(state)
    },
  )

  test.each([
    'client_request_timeout',
    'linked_account_not_found',
    'not_supported',
    'too_many_requests',
    'user_rejected_request',
  ] as const)('tells its caller of %s as it is, where its user leaves it at that', (code) => {
    expect(endingOfClose(after(unapproved, ...toWaiting, failing(code)).state)).toMatchObject({
      type: 'failed',
      error: { code },
    })
  })

  test('tells its caller of anything else with its cause, and of a retry that is closed as a refusal', () => {
    const closed = (...events: readonly SignerEvent[]) => endingOfClose(after(unapproved, ...events).state)
    expect(closed(...toFailed)).toMatchObject({
      error: { code: 'unknown_auth_error', details: { cause: 'share_mismatch' } },
    })
    expect(closed(...toFailed, { type: 'retry' })).toMatchObject({
      error: { code: 'user_rejected_request' },
    })
  })
})
