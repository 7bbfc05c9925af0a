import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { makeDecidedCaptcha } from '../../testing/captcha.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
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

async function makePasskeyFixture(answers: Answers, hasCaptcha = false) {
  const device = makeDevice({ assertion, attestation })
  const own = passkeyBy(device.authenticator)
  const captcha = makeDecidedCaptcha()
  const withOwn = capabilities.map((each) => (each.name === 'passkey' ? own : each))
  const fixture = await makeFixture({
    answers,
    app: { emailAuth: true, passkeyAuth: true },
    capabilities: hasCaptcha ? captcha.behind(withOwn) : withOwn,
  })
  return { fixture, device, captcha }
}

const firstPasskey = passkey('Zmlyc3Q')
const owner = withPasskeys(firstPasskey)
const happy: Answers = {
  beginPasskeyLogin: () => ({ relyingParty, options: loginOptions }),
  loginWithPasskey: () => makeAuthAnswer({ user: owner, isNewUser: false }),
  me: () => owner,
}
const PASSKEY = 1

async function logIn(answers: Answers = {}, hasCaptcha = false) {
  const { fixture, device, captcha } = await makePasskeyFixture({ ...happy, ...answers }, hasCaptcha)
  const login = watch(fixture.login())
  await settle()
  await fixture.enter(PASSKEY, 'choose')
  return { fixture, device, captcha, login }
}

describe('a login by passkey behind a captcha', () => {
  // spec L4.13, L7.33
  test('asks for its challenge with the token, and once', async () => {
    const { fixture, device, captcha } = await logIn({}, true)
    expect(fixture.transport.calls('beginPasskeyLogin')).toEqual([])
    await captcha.decide({ token: 'first' })
    expect(fixture.transport.calls('beginPasskeyLogin').map(({ body }) => body)).toEqual([{ token: 'first' }])
    await device.refuse()
    await fixture.press('AWAITING_PASSKEY_SYSTEM_DIALOGUE', 'retry')
    expect(captcha.asked).toEqual([])
    expect(device.asked).toHaveLength(2)
  })

  test('that the user goes back from asks the device for nothing', async () => {
    const { fixture, device, captcha } = await logIn({}, true)
    await captcha.decide(undefined)
    expect(fixture.screen()).toBe('LANDING')
    expect(device.asked).toEqual([])
  })
})

describe('a login by passkey', () => {
  // spec L1.5, L2.21, L2.32, L7.33, L4.33
  test('asks the device with what the server wants, sends its answer, and closes 1.4 s after the success', async () => {
    const { fixture, device, login } = await logIn()
    expect(fixture.state('AWAITING_PASSKEY_SYSTEM_DIALOGUE')).toEqual({ status: 'loading' })
    expect(fixture.transport.calls('beginPasskeyLogin')[0]?.body).toEqual({})
    expect(device.asked.map(({ options }) => options)).toEqual([loginOptions])
    await device.approve()
    expect(fixture.transport.calls('loginWithPasskey')[0]?.body).toEqual({
      relyingParty: 'dialog.localhost',
      challenge: 'bG9naW4',
      authenticatorResponse: assertion,
    })
    expect(fixture.state('AWAITING_PASSKEY_SYSTEM_DIALOGUE')).toEqual({ status: 'success' })
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

  test('makes what comes after it ready while the user is asked', async () => {
    const { fixture } = await logIn()
    expect(fixture.wallet.log).toContain('prepareOperation')
  })

  // spec L2.32, L8.29
  test('that the user breaks off offers Retry, which asks with the same challenge', async () => {
    const { fixture, device, login } = await logIn()
    await device.refuse()
    expect(fixture.state('AWAITING_PASSKEY_SYSTEM_DIALOGUE')).toEqual({
      status: 'error',
      problem: 'notAllowed',
    })
    await fixture.press('AWAITING_PASSKEY_SYSTEM_DIALOGUE', 'retry')
    expect(fixture.state('AWAITING_PASSKEY_SYSTEM_DIALOGUE')).toEqual({ status: 'loading' })
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(1)
    await device.approve()
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('asks for another challenge where one was answered, or is a minute old', async () => {
    const { fixture, device } = await logIn({
      loginWithPasskey: () => {
        throw refused('invalid_credentials', 401)
      },
    })
    await device.approve()
    await fixture.press('AWAITING_PASSKEY_SYSTEM_DIALOGUE', 'retry')
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(2)
    await device.refuse()
    await fixture.clock.advance(60_000)
    await fixture.press('AWAITING_PASSKEY_SYSTEM_DIALOGUE', 'retry')
    expect(fixture.transport.calls('beginPasskeyLogin')).toHaveLength(3)
  })

  // spec L8.30
  test.each([
    ['the server does not take', undefined, refused('invalid_credentials', 401)],
    ['the device fails at', new LatchkeyError('unknown_auth_error', 'Broken'), undefined],
  ])('that %s says that the error is not known', async (_who, ofDevice, ofServer) => {
    const { fixture, device } = await logIn({
      loginWithPasskey: () => {
        if (ofServer) throw ofServer
        return makeAuthAnswer()
      },
    })
    await (ofDevice ? device.refuse(ofDevice) : device.approve())
    expect(fixture.state('AWAITING_PASSKEY_SYSTEM_DIALOGUE')).toEqual({ status: 'error', problem: 'unknown' })
  })

  test('that can not begin shows why, and leads back to the other ways in', async () => {
    const { fixture, device } = await logIn({
      beginPasskeyLogin: () => {
        throw refused('disallowed_login_method', 403, 'This app has no login by a passkey')
      },
    })
    expect(readCard(fixture)).toEqual(expect.arrayContaining(['Not allowed']))
    expect(device.asked).toEqual([])
    await fixture.back()
    expect(fixture.screen()).toBe('LANDING')
  })

  test('of somebody who may not come in shows the screen for that', async () => {
    const { fixture, device } = await logIn({
      loginWithPasskey: () => {
        throw refused('allowlist_rejected', 403)
      },
    })
    await device.approve()
    expect(fixture.screen()).toBe('ALLOWLIST_REJECTION_SCREEN')
  })

  test('that was left changes nothing any more, and logs nobody in', async () => {
    const { fixture, device, login } = await logIn()
    await fixture.back()
    await device.approve()
    expect(fixture.screen()).toBe('LANDING')
    expect(fixture.transport.calls('loginWithPasskey')).toEqual([])
    await fixture.enter(PASSKEY, 'choose')
    expect(fixture.state('AWAITING_PASSKEY_SYSTEM_DIALOGUE')).toEqual({ status: 'loading' })
    await device.approve()
    expect(login.value).toMatchObject({ loginMethod: 'passkey' })
  })

  test('whose card is closed takes the question back from the device', async () => {
    const { fixture, device, login } = await logIn()
    expect(device.asked[0]?.signal.aborted).toBe(false)
    await fixture.close()
    expect(device.asked[0]?.signal.aborted).toBe(true)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })
})

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
  return { fixture, device, captcha, linked }
}
const five = ['YQ', 'Yg', 'Yw', 'ZA', 'ZQ'].map((id) => passkey(id))

describe('the user’s passkeys', () => {
  // spec L2.52, L9.19
  test('are listed by who keeps them, else by browser and system, else as of an unknown device', async () => {
    const { fixture } = await openList(
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
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({
      passkeys: [
        { id: 'YQ', device: '1Password' },
        { id: 'Yg', device: 'Chrome, Linux' },
        { id: 'Yw', device: 'Android' },
        { id: 'ZA', device: undefined },
      ],
    })
    const few = await openList(withPasskeys(passkey('YQ'), passkey('ZA', {})))
    expect(readCard(few.fixture)).toEqual(expect.arrayContaining(['iCloud Keychain', 'Unknown device']))
  })

  // spec L1.5, L2.53, L7.40
  test('become one more, which the host hears, and the screen says for 1.4 s', async () => {
    const more = withPasskeys(firstPasskey, passkey('bmV3'))
    const { fixture, device, linked } = await openList(owner, { linkPasskey: () => more })
    await fixture.press('LINK_PASSKEY_SCREEN', 'add')
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({ isAdding: true })
    expect(device.asked.map(({ options }) => options)).toEqual([linkOptions])
    await device.approve()
    expect(fixture.transport.calls('linkPasskey')[0]).toMatchObject({
      body: { relyingParty: 'dialog.localhost', authenticatorResponse: attestation },
      token: expect.any(String),
    })
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toEqual({ status: 'added' })
    expect(linked.value).toMatchObject({ user: { linkedAccounts: more.linkedAccounts } })
    expect(fixture.session.state()).toMatchObject({ user: more })
    await fixture.clock.advance(1_399)
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1 + 200)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  // spec L4.15
  test('become one more without a captcha', async () => {
    const more = withPasskeys(firstPasskey, passkey('bmV3'))
    const { fixture, device, captcha, linked } = await openList(owner, { linkPasskey: () => more }, true)
    await fixture.press('LINK_PASSKEY_SCREEN', 'add')
    await device.approve()
    expect(captcha.asked).toEqual([])
    expect(linked.value).toMatchObject({ user: { linkedAccounts: more.linkedAccounts } })
  })

  // spec L5.15
  test('are five at most: one more is offered to who has four', async () => {
    const { fixture } = await openList(withPasskeys(...five.slice(0, 4)))
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({ hasRoom: true })
    const full = await openList(withPasskeys(...five))
    expect(full.fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({ hasRoom: false })
  })

  // spec L8.28, L8.29, L8.30
  test.each([
    ['cannot_link_more_of_type', 'tooMany'],
    ['passkey_not_allowed', 'notAllowed'],
    ['linked_to_another_user', 'unknown'],
  ] as const)('stay as they are at %s, which is said, and which the host hears', async (code, problem) => {
    const { fixture, device, linked } = await openList(owner, {
      linkPasskey: () => {
        throw refused(code, 400)
      },
    })
    await fixture.press('LINK_PASSKEY_SCREEN', 'add')
    await device.approve()
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({ problem, isAdding: false })
    await fixture.close()
    expect(linked.error).toMatchObject({ code })
  })

  test('are made one at a time', async () => {
    const { fixture, device } = await openList(owner)
    await fixture.press('LINK_PASSKEY_SCREEN', 'add')
    await fixture.press('LINK_PASSKEY_SCREEN', 'add')
    expect(device.asked).toHaveLength(1)
  })

  // spec L2.54, L7.17
  test('become one less when the user confirms, and make room', async () => {
    const left = withPasskeys(...five.slice(1))
    const { fixture, linked } = await openList(withPasskeys(...five), { unlinkPasskey: () => left })
    await fixture.press('LINK_PASSKEY_SCREEN', 'unlink', 'YQ')
    expect(fixture.state('UNLINK_SCREEN')).toMatchObject({ method: 'passkey', name: 'iCloud Keychain' })
    expect(fixture.transport.calls('unlinkPasskey')).toEqual([])
    await fixture.press('UNLINK_SCREEN', 'unlink')
    expect(fixture.transport.calls('unlinkPasskey')[0]?.body).toEqual({ credentialId: 'YQ' })
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({
      hasRoom: true,
      passkeys: [{ id: 'Yg' }, { id: 'Yw' }, { id: 'ZA' }, { id: 'ZQ' }],
    })
    expect(linked.settled).toBe(false)
  })

  test.each(['keep', 'back'] as const)('stay where the user goes back by %s', async (how) => {
    const { fixture, linked } = await openList(owner)
    await fixture.press('LINK_PASSKEY_SCREEN', 'unlink', 'Zmlyc3Q')
    await (how === 'keep' ? fixture.press('UNLINK_SCREEN', 'keep') : fixture.back())
    expect(fixture.state('LINK_PASSKEY_SCREEN')).toMatchObject({ passkeys: [{ id: 'Zmlyc3Q' }] })
    expect(fixture.transport.calls('unlinkPasskey')).toEqual([])
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'exited_link_flow' })
  })

  // spec L8.32
  test('that are a second factor stay, and the user reads why', async () => {
    const { fixture } = await openList(owner, {
      unlinkPasskey: () => {
        throw refused('missing_or_invalid_mfa', 400, 'Cannot unlink a passkey enrolled in MFA')
      },
    })
    await fixture.press('LINK_PASSKEY_SCREEN', 'unlink', 'Zmlyc3Q')
    await fixture.press('UNLINK_SCREEN', 'unlink')
    expect(fixture.state('UNLINK_SCREEN')).toMatchObject({ problem: 'missing_or_invalid_mfa' })
  })

  test('are unlinked by the host’s call too, under the name that the user knows', async () => {
    const { fixture } = await openList(owner, { unlinkPasskey: () => withPasskeys() })
    await fixture.close()
    await fixture.clock.advance(200)
    const unlinked = watch(fixture.unlink('passkey', 'Zmlyc3Q'))
    await settle()
    expect(fixture.state('UNLINK_SCREEN')).toMatchObject({ name: 'iCloud Keychain' })
    await fixture.press('UNLINK_SCREEN', 'unlink')
    expect(unlinked.value).toMatchObject({ user: { linkedAccounts: [email] } })
  })
})
