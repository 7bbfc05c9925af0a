/** A session whose device is gone: its user logs in again in the card that asked, and the call goes on. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../../testing/clock.ts'
import { makeFixture, watch } from '../../../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../../../testing/page.tsx'

const email = 'ada@example.org'

/** The device of the session is bound by the next login. */
async function ask(after = walletUser) {
  let isBound = false
  const made = await makeFixture({
    app: { googleOauth: true },
    config: { loginMethods: ['email', 'google'] },
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer({ user: after }),
      logout: () => ({ success: true }),
    },
    wallet: {
      acceptLogin: () => {
        isBound = true
      },
      async connect() {
        if (!isBound) throw new LatchkeyError('device_not_bound', 'Log in again')
      },
    },
  })
  made.session.accept(makeAuthAnswer({ user: walletUser }))
  const page = renderDialog(made)
  const signing = watch(made.signMessage({ message: 'Hello' }))
  await settle()
  return { made, page, signing }
}
async function logIn({ made, page }: Awaited<ReturnType<typeof ask>>) {
  await submitEmail(made, email)
  await page.type('Digit 1 of 6', '123456')
  await made.clock.advance(1_400)
  await settle()
}

describe('a wallet call of a session without a device', () => {
  test('requests a login with an account of the user, explains why, and continues on the same card', async () => {
    const asked = await ask()
    const { made, page, signing } = asked
    expect(made.screen()).toBe('LOG_IN_AGAIN')
    const texts = page.texts()
    expect(texts).toContain('Log in again to use your wallet here')
    expect(texts).toContain(
      'This browser no longer has what connects your session to your wallet. Nothing is lost.',
    )
    // They have an e-mail address, and no account at Google.
    expect(page.controls()).toHaveLength(1)
    await logIn(asked)
    await page.see('Sign message')
    await page.approve()
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    expect(made.frame.filter((each) => each === 'show')).toHaveLength(1)
  })

  test('rejects if another user logs in', async () => {
    const asked = await ask({ ...visitorUser, id: 'user-2' })
    await logIn(asked)
    expect(asked.signing.error).toMatchObject({ code: expect.any(String) })
    expect(asked.made.screen()).toBeUndefined()
    expect(asked.made.wallet.log).not.toContain('sign Hello')
  })

  test('rejects if the user closes the card', async () => {
    const { made, signing } = await ask()
    await made.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request' })
  })
})
