/** The mock as an editor shows it. Only type-checked; nothing here runs. */
import type { createLatchkey, Latchkey, LoginResult, TransactionReceipt } from '@latchkey/loader'
import { type Control, type MockLatchkey, mockLatchkey, type OpenCall } from './mock.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const check = <T extends true>(_: T) => {}

// A client like that of `createLatchkey()`, plus its control.
check<Same<Omit<MockLatchkey, 'control'>, Omit<Latchkey, 'control'>>>(true)
check<Same<Exclude<keyof MockLatchkey, keyof ReturnType<typeof createLatchkey>>, 'control'>>(true)
const inItsPlace: ReturnType<typeof createLatchkey> = mockLatchkey()
inItsPlace.login()

const { control } = mockLatchkey({ user: { email: 'mira@example.com' }, wallets: ['ethereum', 'solana'] })
check<Same<typeof control, Control>>(true)

check<Same<ReturnType<typeof control.next<'login'>>, OpenCall<'login'>>>(true)
control.next('login').approve({ isNewUser: true } satisfies Partial<LoginResult>)
control.next('sendTransaction').approve({ gasUsed: '1' } satisfies Partial<TransactionReceipt>)
control.next('signMessage').fail('user_rejected_request')
control.callsOf('signMessage')[0]?.[0] satisfies Parameters<Latchkey['signMessage']>[0] | undefined
control.tell('mfaRequired', { methods: ['totp'] })

for (const call of control.calls) {
  if (call.name === 'unlinkEmail') check<Same<(typeof call.args)[0], string>>(true)
  if (call.name === 'request') check<Same<(typeof call.args)[0]['method'], string>>(true)
}

// @ts-expect-error unknown call
control.next('fly')
// @ts-expect-error a signature has no changes
control.next('signMessage').approve({ signature: '0x' })
// @ts-expect-error unknown code
control.next('login').fail('no_such_code')
// @ts-expect-error unknown event
control.tell('lunch', {})
// @ts-expect-error the event has another shape
control.tell('chainChanged', { chainId: '0x1' })
// @ts-expect-error unknown wallet
mockLatchkey({ wallets: ['bitcoin'] })
// @ts-expect-error unknown person
mockLatchkey({ person: 'asleep' })
