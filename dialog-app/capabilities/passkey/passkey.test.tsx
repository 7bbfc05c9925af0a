import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeDevice } from '../../webauthn/testing.ts'
import { capabilities } from '../index.ts'
import { passkeyBy } from './passkey.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const email = { type: 'email' as const, address: 'ada@example.com', ...times }
const passkey = (credentialId: string, device: object = { authenticatorName: 'iCloud Keychain' }) => ({
  type: 'passkey' as const,
  credentialId,
  enrolledInMfa: false,
  ...device,
  ...times,
})
const withPasskeys = (...passkeys: ReturnType<typeof passkey>[]): UserRecord => ({
  ...visitorUser,
  linkedAccounts: [email, ...passkeys],
})

const loginOptions: AssertionOptions = {
  challenge: 'bG9naW4',
  timeout: 300_000,
  rpId: 'dialog.localhost',
  allowCredentials: [],
  userVerification: 'required',
}
const linkOptions: AttestationOptions = {
  rp: { name: 'Demo', id: 'dialog.localhost' },
  user: { id: 'dXNlcg', name: 'ada@example.com (Demo)', displayName: 'ada@example.com' },
  challenge: 'bGluaw',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
}
const relyingParty = 'dialog.localhost'
const assertion: Assertion = {
  id: 'Zmlyc3Q',
  rawId: 'Zmlyc3Q',
  response: {
    clientDataJson: 'Y2xpZW50',
    authenticatorData: 'ZGF0YQ',
    signature: 'c2ln',
    userHandle: 'dXNlcg',
  },
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
  type: 'public-key',
}
const attestation: Attestation = {
  id: 'bmV3',
  rawId: 'bmV3',
  response: { clientDataJson: 'Y2xpZW50', attestationObject: 'b2JqZWN0', transports: ['internal'] },
  clientExtensionResults: { credProps: { rk: true } },
  type: 'public-key',
}

/** Records the reports to the browser's Signal API, which fails each of them. */
function makeSignals(hostname = relyingParty) {
  const reports: [string, object][] = []
  const record = (name: string) => (report: object) => {
    reports.push([name, report])
    return Promise.reject(new DOMException('', 'SecurityError'))
  }
  const api = {
    signalUnknownCredential: record('unknown'),
    signalAllAcceptedCredentials: record('accepted'),
    signalCurrentUserDetails: record('details'),
  }
  return { reports, place: { api, hostname } }
}

async function makePasskeyFixture(answers: Answers, hasCaptcha = false, signals = makeSignals()) {
  const device = makeDevice({ assertion, attestation })
  const own = passkeyBy(device.authenticator, undefined, signals.place)
  const captcha = makeDecidedCaptcha()
  const withOwn = capabilities.map((each) => (each.name === 'passkey' ? own : each))
  const fixture = await makeFixture({
    answers,
    app: { emailAuth: true, passkeyAuth: true, captchaEnabled: hasCaptcha },
    capabilities: hasCaptcha ? captcha.behind(withOwn) : withOwn,
  })
  return { fixture, device, captcha }
}

const waiting = 'Waiting for your passkey'
const rejected = 'Passkey request timed out or rejected by user.'
const firstOne = 'You will have to sign up with another method first to register a passkey for your account.'
const firstPasskey = passkey('Zmlyc3Q')
const owner = withPasskeys(firstPasskey)
const happy: Answers = {
  beginPasskeyLogin: () => ({ relyingParty, options: loginOptions }),
  loginWithPasskey: () => makeAuthAnswer({ user: owner, isNewUser: false }),
  me: () => owner,
}

async function logIn(answers: Answers = {}, hasCaptcha = false) {
  const { fixture, device, captcha } = await makePasskeyFixture({ ...happy, ...answers }, hasCaptcha)
  const login = watch(fixture.login())
  await settle()
  const page = renderDialog(fixture)
  const choose = () => page.press('I have a passkey')
  await choose()
  return { fixture, page, choose, device, captcha, login }
}

describe('a report to the browser', () => {
  const userId = 'dXNlci0x'
  const rpId = 'dialog.localhost'
  const second = passkey('c2Vjb25k')

  async function open(
    user: UserRecord | undefined,
    { answers = {}, hostname }: { answers?: Answers; hostname?: string } = {},
  ) {
    const signals = makeSignals(hostname)
    const made = await makePasskeyFixture({ ...happy, ...answers }, false, signals)
    await made.fixture.session.start()
    if (user) made.fixture.session.accept(makeAuthAnswer({ user }))
    await settle()
    return { ...made, reports: signals.reports }
  }

  test("names the user's passkeys after a login", async () => {
    const { reports } = await open(withPasskeys(firstPasskey, second))
    expect(reports).toEqual([
      ['accepted', { rpId, userId, allAcceptedCredentialIds: ['Zmlyc3Q', 'c2Vjb25k'] }],
    ])
  })

  test('names the other passkeys after one was removed, and nothing without a change', async () => {
    const { fixture, reports } = await open(withPasskeys(firstPasskey, second))
    reports.length = 0
    fixture.session.replaceUser(withPasskeys(firstPasskey, second))
    await settle()
    expect(reports).toEqual([])
    fixture.session.replaceUser(withPasskeys(second))
    await settle()
    expect(reports).toEqual([['accepted', { rpId, userId, allAcceptedCredentialIds: ['c2Vjb25k'] }]])
  })

  test('has the name of a new passkey after the e-mail address changed', async () => {
    const { fixture, reports } = await open(owner)
    reports.length = 0
    const changed = { ...email, address: 'ada@new.example' }
    fixture.session.replaceUser({ ...owner, linkedAccounts: [changed, firstPasskey] })
    await settle()
    const name = 'ada@new.example (Demo)'
    expect(reports).toEqual([['details', { rpId, userId, name, displayName: 'ada@new.example' }]])
  })

  test('names a passkey that no app of the server has, after a login with it', async () => {
    const { fixture, device, reports } = await open(undefined, {
      answers: {
        loginWithPasskey: () => {
          throw new LatchkeyError('invalid_credentials', 'Not accepted', { details: { reason: 'unknown' } })
        },
      },
    })
    watch(fixture.login())
    await settle()
    const page = renderDialog(fixture)
    await page.press('I have a passkey')
    await device.approve()
    await page.see(`An unknown error occurred. ${firstOne}`)
    expect(reports).toEqual([['unknown', { rpId, credentialId: 'Zmlyc3Q' }]])
  })

  test('is not sent for a passkey that was refused for another reason, nor before a login', async () => {
    const { fixture, device, reports } = await open(undefined, {
      answers: {
        loginWithPasskey: () => {
          throw new LatchkeyError('invalid_credentials', 'Not accepted', {
            details: { reason: 'credential' },
          })
        },
      },
    })
    watch(fixture.login())
    await settle()
    const page = renderDialog(fixture)
    await page.press('I have a passkey')
    await device.approve()
    await page.see(`An unknown error occurred. ${firstOne}`)
    expect(reports).toEqual([])
  })

  test('is not sent for another relying party', async () => {
    expect((await open(owner, { hostname: 'wallet.localhost' })).reports).toEqual([])
  })

  test('is not sent for a session from storage', async () => {
    const signals = makeSignals()
    const { fixture } = await makePasskeyFixture(happy, false, signals)
    fixture.session.accept(makeAuthAnswer({ user: owner }))
    await settle()
    expect(signals.reports).toEqual([])
  })
})

describe('a passkey that the browser suggests for the e-mail field', () => {
  async function openLanding(answers: Answers = {}, hasCaptcha = false) {
    const { fixture, device } = await makePasskeyFixture({ ...happy, ...answers }, hasCaptcha)
    const login = watch(fixture.login())
    await settle()
    const page = renderDialog(fixture)
    await page.see('I have a passkey')
    const focusField = async () => {
      document.querySelector<HTMLElement>('input[type="email"]')?.focus()
      await settle()
    }
    await focusField()
    return { fixture, device, page, login, focusField }
  }

  test('logs in when the user selects it', async () => {
    const { fixture, device, page, login } = await openLanding()
    expect(device.suggested.map(({ options }) => options)).toEqual([loginOptions])
    await device.selectSuggestion()
    await page.see('You are logged in.')
    expect(login.value).toMatchObject({ loginMethod: 'passkey', loginAccount: firstPasskey })
    expect(fixture.transport.calls('beginPasskeyLogin').map(({ body }) => body)).toEqual([{}])
    expect(fixture.transport.calls('loginWithPasskey')).toMatchObject([{ body: { challenge: 'bG9naW4' } }])
    expect(device.asked).toEqual([])
  })

  test('prompts as usual on Retry after the server refused it', async () => {
    const { device, page } = await openLanding({
      loginWithPasskey: () => {
        throw refused('invalid_credentials', 401)
      },
    })
    await device.selectSuggestion()
    await page.press('Retry')
    expect(device.asked).toHaveLength(1)
  })

  test('is withdrawn when the field loses the focus to another method, and offered again', async () => {
    const { device, page, focusField } = await openLanding()
    page.focus('I have a passkey')
    await settle()
    expect(device.suggested.map(({ signal }) => signal.aborted)).toEqual([true])
    await focusField()
    expect(device.suggested.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  test('is withdrawn when the card closes', async () => {
    const { device, fixture } = await openLanding()
    await fixture.close()
    expect(device.suggested[0]?.signal.aborted).toBe(true)
  })

  test('has another challenge after four minutes', async () => {
    const { device, fixture } = await openLanding()
    await fixture.clock.advance(4 * 60_000 - 1)
    expect(device.suggested).toHaveLength(1)
    await fixture.clock.advance(1)
    expect(device.suggested.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(2)
  })

  test('is not offered behind a captcha', async () => {
    const { device, fixture } = await openLanding({}, true)
    expect(device.suggested).toEqual([])
    expect(fixture.transport.calls('beginPasskeyLogin')).toEqual([])
  })
})

describe('a login by passkey behind a captcha', () => {
  // spec L4.13, L7.33
  test('requests its challenge once, with the captcha token', async () => {
    const { fixture, page, device, captcha } = await logIn({}, true)
    expect(fixture.transport.calls('beginPasskeyLogin')).toEqual([])
    await captcha.decide({ token: 'first' })
    expect(fixture.transport.calls('beginPasskeyLogin').map(({ body }) => body)).toEqual([{ token: 'first' }])
    await device.refuse()
    await page.press('Retry')
    expect(captcha.asked).toEqual([])
    expect(device.asked).toHaveLength(2)
  })

  test('does not prompt if the user goes back from the captcha', async () => {
    const { fixture, device, captcha } = await logIn({}, true)
    await captcha.decide(undefined)
    expect(fixture.screen()).toBe('LANDING')
    expect(device.asked).toEqual([])
  })
})

describe('a login by passkey', () => {
  // spec L1.5, L2.21, L2.32, L7.33, L4.33
  test("prompts with the server's options, sends the answer, and closes 1.4 s after the success", async () => {
    const { fixture, page, device, login } = await logIn()
    await page.see(waiting)
    expect(fixture.transport.calls('beginPasskeyLogin')[0]?.body).toEqual({})
    expect(device.asked.map(({ options }) => options)).toEqual([loginOptions])
    await device.approve()
    expect(fixture.transport.calls('loginWithPasskey')[0]?.body).toEqual({
      relyingParty: 'dialog.localhost',
      challenge: 'bG9naW4',
      authenticatorResponse: assertion,
    })
    await page.see('You are logged in.')
    expect(login.value).toMatchObject({
      loginMethod: 'passkey',
      loginAccount: firstPasskey,
      isNewUser: false,
    })
    await fixture.clock.advance(1_399)
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1 + 200)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  test('prepares the wallet operation during the prompt', async () => {
    const { fixture } = await logIn()
    expect(fixture.wallet.log).toContain('prepareOperation')
  })

  // spec L2.32, L8.29
  test('offers Retry with the same challenge after the user cancels the prompt', async () => {
    const { fixture, page, device, login } = await logIn()
    await device.refuse()
    await page.see(`${rejected} ${firstOne}`)
    await page.press('Retry')
    await page.see(waiting)
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(1)
    await device.approve()
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('requests another challenge after an answer, or after a minute', async () => {
    const { fixture, page, device } = await logIn({
      loginWithPasskey: () => {
        throw refused('invalid_credentials', 401)
      },
    })
    await device.approve()
    await page.press('Retry')
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(2)
    await device.refuse()
    await fixture.clock.advance(60_000)
    await page.press('Retry')
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(3)
  })

  // spec L8.30
  test.each([
    ['the server refuses', undefined, refused('invalid_credentials', 401)],
    ['the device fails', new LatchkeyError('unknown_auth_error', 'Broken'), undefined],
  ])('that %s shows an unknown error', async (_who, ofDevice, ofServer) => {
    const { page, device } = await logIn({
      loginWithPasskey: () => {
        if (ofServer) throw ofServer
        return makeAuthAnswer()
      },
    })
    await (ofDevice ? device.refuse(ofDevice) : device.approve())
    await page.see(`An unknown error occurred. ${firstOne}`)
  })

  test('shows the reason if the login cannot start, and leads back to the other methods', async () => {
    const { fixture, page, device } = await logIn({
      beginPasskeyLogin: () => {
        throw refused('disallowed_login_method', 403, 'This app has no login by a passkey')
      },
    })
    await page.see('Not allowed')
    expect(device.asked).toEqual([])
    await page.press('Back')
    expect(fixture.screen()).toBe('LANDING')
  })

  test('shows the allowlist screen to a user outside the allowlist', async () => {
    const { fixture, device } = await logIn({
      loginWithPasskey: () => {
        throw refused('allowlist_rejected', 403)
      },
    })
    await device.approve()
    expect(fixture.screen()).toBe('ALLOWLIST_REJECTION_SCREEN')
  })

  test('ignores the response to a prompt that the user left', async () => {
    const { fixture, page, choose, device, login } = await logIn()
    await page.see(waiting)
    await page.press('Back')
    await device.approve()
    expect(fixture.screen()).toBe('LANDING')
    expect(fixture.transport.calls('loginWithPasskey')).toEqual([])
    await choose()
    await page.see(waiting)
    await device.approve()
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('cancels the prompt after the card is closed', async () => {
    const { fixture, device, login } = await logIn()
    expect(device.asked[0]?.signal.aborted).toBe(false)
    await fixture.close()
    expect(device.asked[0]?.signal.aborted).toBe(true)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })
})

const addPasskey = 'Add new passkey'

async function openList(user: UserRecord, answers: Answers = {}, hasCaptcha = false) {
  const ofUser: Answers = {
    me: () => user,
    beginPasskeyLink: () => ({ relyingParty, options: linkOptions }),
    ...answers,
  }
  const { fixture, device, captcha } = await makePasskeyFixture(ofUser, hasCaptcha)
  await fixture.session.start()
  fixture.session.accept(makeAuthAnswer({ user }))
  await settle()
  const linked = watch(fixture.link('passkey'))
  await settle()
  const page = renderDialog(fixture)
  return { fixture, page, add: () => page.press(addPasskey), device, captcha, linked }
}
const five = ['YQ', 'Yg', 'Yw', 'ZA', 'ZQ'].map((id) => passkey(id))

describe('the user’s passkeys', () => {
  // spec L2.52, L9.19
  test('are listed by their provider, else by browser and system, else as an unknown device', async () => {
    const rows = ['1Password', 'Chrome, Linux', 'Android', 'Unknown device']
    const { page } = await openList(
      withPasskeys(
        passkey('YQ', {
          authenticatorName: '1Password',
          createdWithBrowser: 'Chrome',
          createdWithOs: 'macOS',
        }),
        passkey('Yg', { createdWithBrowser: 'Chrome', createdWithOs: 'Linux' }),
        passkey('Yw', { createdWithOs: 'Android' }),
        passkey('ZA', {}),
      ),
    )
    await page.press('View all')
    const devices = page.texts().filter((text) => rows.includes(text))
    expect(devices).toEqual(rows)
  })

  // spec L1.5, L2.53, L7.40
  test('are extended by one, which the host receives and the screen shows for 1.4 s', async () => {
    const more = withPasskeys(firstPasskey, passkey('bmV3'))
    const { fixture, page, add, device, linked } = await openList(owner, { linkPasskey: () => more })
    await add()
    await page.see('Adding a passkey')
    expect(device.asked.map(({ options }) => options)).toEqual([linkOptions])
    await device.approve()
    expect(fixture.transport.calls('linkPasskey')[0]).toMatchObject({
      body: { relyingParty: 'dialog.localhost', authenticatorResponse: attestation },
      token: expect.any(String),
    })
    await page.see('Passkey added')
    expect(linked.value).toMatchObject({ user: { linkedAccounts: more.linkedAccounts } })
    expect(fixture.session.state()).toMatchObject({ user: more })
    await fixture.clock.advance(1_399)
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1 + 200)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  // spec L4.15
  test('are extended without a captcha', async () => {
    const more = withPasskeys(firstPasskey, passkey('bmV3'))
    const { add, device, captcha, linked } = await openList(owner, { linkPasskey: () => more }, true)
    await add()
    await device.approve()
    expect(captcha.asked).toEqual([])
    expect(linked.value).toMatchObject({ user: { linkedAccounts: more.linkedAccounts } })
  })

  // spec L5.15
  test('are five at most: another one is offered to a user with four', async () => {
    const four = await openList(withPasskeys(...five.slice(0, 4)))
    await four.page.see(addPasskey)
  })

  // spec L5.15
  test('are not extended for a user with five', async () => {
    const { page } = await openList(withPasskeys(...five))
    await page.see('Your account has as many passkeys as it can have. Unlink one to add another.')
    expect(page.hasButton(addPasskey)).toBe(false)
  })

  // spec L8.28, L8.29, L8.30
  test.each([
    ['cannot_link_more_of_type', 'Cannot link more passkeys to account.'],
    ['passkey_not_allowed', rejected],
    ['linked_to_another_user', 'Unknown error occurred.'],
  ] as const)(
    'stay as they are after %s, which is shown, and which the host receives',
    async (code, text) => {
      const { fixture, page, add, device, linked } = await openList(owner, {
        linkPasskey: () => {
          throw refused(code, 400)
        },
      })
      await add()
      await device.approve()
      await page.see(text)
      expect(page.hasButton(addPasskey)).toBe(true)
      await fixture.close()
      expect(linked.error).toMatchObject({ code })
    },
  )

  test('are created one at a time', async () => {
    const { page, add, device } = await openList(owner)
    await add()
    await page.press(/passkey/)
    expect(device.asked).toHaveLength(1)
  })

  // spec L2.54, L7.17
  test('are unlinked when the user confirms, which makes room for another', async () => {
    const devices = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
    const all = devices.map((authenticatorName, at) =>
      passkey(five[at]?.credentialId ?? '', { authenticatorName }),
    )
    const left = withPasskeys(...all.slice(1))
    const { fixture, page, linked } = await openList(withPasskeys(...all), { unlinkPasskey: () => left })
    await page.press(/First/)
    await page.see('Unlink your passkey?')
    expect(page.has(/First/)).toBe(true)
    expect(fixture.transport.calls('unlinkPasskey')).toEqual([])
    await page.press('Unlink')
    expect(fixture.transport.calls('unlinkPasskey')[0]?.body).toEqual({ credentialId: 'YQ' })
    await page.see(addPasskey)
    await page.press('View all')
    expect(page.texts().filter((text) => devices.includes(text))).toEqual(devices.slice(1))
    expect(linked.settled).toBe(false)
  })

  test.each(['Keep it', 'Back'])('stay linked if the user presses %s', async (button) => {
    const { fixture, page, linked } = await openList(owner)
    await page.press(/iCloud Keychain/)
    await page.press(button)
    await page.see('iCloud Keychain')
    expect(fixture.screen()).toBe('LINK_PASSKEY_SCREEN')
    expect(fixture.transport.calls('unlinkPasskey')).toEqual([])
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'exited_link_flow' })
  })

  // spec L8.32
  test('stay linked if they are a second factor, and the user sees the reason', async () => {
    const { page } = await openList(owner, {
      unlinkPasskey: () => {
        throw refused('missing_or_invalid_mfa', 400, 'Cannot unlink a passkey enrolled in MFA')
      },
    })
    await page.press(/iCloud Keychain/)
    await page.press('Unlink')
    await page.see('Cannot unlink a passkey enrolled in MFA')
  })

  test('are unlinked by a host call too, under the name that the user knows', async () => {
    const { fixture, page } = await openList(owner, { unlinkPasskey: () => withPasskeys() })
    await fixture.close()
    await fixture.clock.advance(200)
    const unlinked = watch(fixture.unlink('passkey', 'Zmlyc3Q'))
    await settle()
    await page.see(/iCloud Keychain/)
    await page.press('Unlink')
    expect(unlinked.value).toMatchObject({ user: { linkedAccounts: [email] } })
  })
})
